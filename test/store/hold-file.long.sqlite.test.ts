import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { compile } from "../support/compiled.ts";
import { newDatabaseFile, openTestStore } from "./open-test-store.ts";

test("refuses a second Curfew on one file before it touches anything", async () => {
  const file = newDatabaseFile();
  const running = await openTestStore(file, { isToRun: true });
  await expect(openStore(file, { isToRun: true })).rejects.toMatchObject({
    code: "DatabaseInUse",
    message: expect.stringMatching(/Another Curfew is running on .*curfew\.db\. .*stop that one first/),
  });
  await running.begin(aChange());
  const history = await openHistory(file);
  expect(await history.verify()).toMatchObject({ kind: "intact", length: 1 });
  await history.close();
  await running.close();
  await openTestStore(file, { isToRun: true });
});

test("releases the file when its process is killed", async () => {
  const file = newDatabaseFile();
  const process = spawn("node", [compile("test/store/run-on.ts"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void process.kill("SIGKILL"));
  await once(process.stdout, "data");
  await expect(openStore(file, { isToRun: true })).rejects.toMatchObject({ code: "DatabaseInUse" });
  process.kill("SIGKILL");
  await once(process, "exit");
  await openTestStore(file, { isToRun: true });
});
