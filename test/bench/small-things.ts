// The micro-benchmarks, in their own process and bundled like the release, because running TypeScript adds cost to each function.
import { runMicro } from "./micro.ts";

const [, , serviceUrl = ""] = process.argv;
process.stdout.write(await runMicro(serviceUrl));
