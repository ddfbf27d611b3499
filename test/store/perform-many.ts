// A child process that performs changes on a database, given <file> <id prefix> <count>
import { openStore } from "../../src/store/open-store.ts";
import { aChange, aSettlement } from "../changes/build.ts";

const [file = "", prefix = "", count = "0"] = process.argv.slice(2);
const store = await openStore(file);
const ids = Array.from({ length: Number(count) }, (_each, index) => `${prefix}-${index}`);
await Promise.all(
  ids.map(async (id) => {
    await store.begin(aChange({ id }));
    await store.settle(id, aSettlement({ subjectId: `ae-${id}` }));
  }),
);
await store.close();
