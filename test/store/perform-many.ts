// A process of its own, which performs changes on a database: npx tsx perform-many.ts <file> <prefix of the ids> <how many>
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
