// A child process that holds a SQLite file as a running Curfew does, until it is killed, given <file>
import { openStore } from "../../src/store/open-store.ts";

await openStore(process.argv[2] ?? "", { isToRun: true });
process.stdout.write("running\n");
setInterval(() => undefined, 60_000);
