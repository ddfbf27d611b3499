// A process of its own, which works at the jobs of a database, and stops amid one when it has done many: npx tsx work-jobs.ts <database> <how many>
import { createJobWorker, type JobHandler, type JobHandlers } from "../../src/jobs/job-worker.ts";
import { openStore } from "../../src/store/open-store.ts";
import { quietLog } from "../changes/build.ts";
import { tellWhoIsNamed } from "./tell-who-is-named.ts";

const [database = "", count = "0"] = process.argv.slice(2);
const store = await openStore(database);
let left = Number(count);
const tell = tellWhoIsNamed.handlers["exclusion-end"];
const handler: JobHandler = async (name, dueAt) => {
  if (left-- > 0) return tell(name, dueAt);
  process.stdout.write("stuck\n");
  return new Promise(() => undefined);
};
const handlers: JobHandlers = { ...tellWhoIsNamed.handlers, "exclusion-end": handler };
const worker = createJobWorker({ store, handlers, now: Date.now, log: quietLog, wakeOutbox: () => undefined });
worker.wake();
// Something that goes on, so that the process stays until it is killed.
setInterval(() => worker.wake(), 1000);
