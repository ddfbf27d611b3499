// A child process that does a database's jobs, and hangs in one after <count>, given <database> <count>
import { createJobWorker, type JobHandler, type JobHandlers } from "../../src/jobs/worker.ts";
import { openStore } from "../../src/store/open-store.ts";
import { quietLog } from "../changes/build.ts";
import { notifySubject } from "./notify-subject.ts";

const [database = "", count = "0"] = process.argv.slice(2);
const store = await openStore(database);
let left = Number(count);
const notify = notifySubject.handlers["exclusion-end"];
const handler: JobHandler = async (name, dueAt) => {
  if (left-- > 0) return notify(name, dueAt);
  process.stdout.write("stuck\n");
  return new Promise(() => undefined);
};
const handlers: JobHandlers = { ...notifySubject.handlers, "exclusion-end": handler };
const worker = createJobWorker({
  ...{ store, handlers, now: Date.now, log: quietLog },
  giveUp: async () => ({}),
});
worker.wake();
// Keeps the process alive until it is killed.
setInterval(() => worker.wake(), 1000);
