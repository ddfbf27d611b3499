// The small things alone, as a process of its own: bundled as what people run is, since what runs TypeScript adds to each function.
import { runMicro } from "./micro.ts";

const [, , serviceUrl = ""] = process.argv;
process.stdout.write(await runMicro(serviceUrl));
