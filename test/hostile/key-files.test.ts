import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ask, askWithNewId, buttonsOn, changesSentTo } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const secretsDir = mkdtempSync(join(tmpdir(), "curfew-keys-"));
const key = (accessKeyId: string) => JSON.stringify({ accessKeyId, secretAccessKey: `hush-${accessKeyId}` });
const [build, sales] = ["cred-00000002", "cred-00000005"];
for (const credential of [build, sales, "cred-00000006"]) mkdirSync(join(secretsDir, credential));
writeFileSync(join(secretsDir, build, "build.json"), key("build"));
writeFileSync(join(secretsDir, sales, "sales.json"), key("sales"));
writeFileSync(join(secretsDir, "loose.json"), key("loose"));
symlinkSync(build, join(secretsDir, "cred-00000007"));
symlinkSync(join("..", build, "build.json"), join(secretsDir, "cred-00000006", "build.json"));
afterAll(() => rmSync(secretsDir, { recursive: true, force: true }));

/** Alice may change only the sales team's credential. */
const config = unlimitedConfig
  .replace(
    "  credentials:\n",
    `  credentials:\n    - { id: ${sales}, name: Sales, project: p-dev }\n    - { id: ${build}, name: Build, project: p-prod }\n`,
  )
  .replace(
    "    admin:\n",
    "    sales: { members: [U01ALICE], allow: [ModifyCredential], where: { projects: [p-dev] } }\n    admin:\n",
  );
const { curfew } = oneBot({ config, secretsDir });

it.each([
  ["another credential's file", "alice", `${sales} --key-file build.json`],
  ["another credential's file by its path", "alice", `${sales} --key-file ../${build}/build.json`],
  ["another credential's file by its folder", "alice", `${sales} --key-file ${build}/build.json`],
  ["a file that is for no credential", "carol", `${build} --key-file loose.json`],
  ["a file by a link to another credential's", "carol", "cred-00000006 --key-file build.json"],
  ["a file in a folder that is a link to another credential's", "carol", "cred-00000007 --key-file build.json"],
])("a key file is refused: %s", async (_what, who, line) => {
  const sent = changesSentTo(curfew());
  const isKnown = [build, sales].some((id) => line.startsWith(`${id} `));
  const whole = `credential edit ${line} --sub-type amazon-standard --type amazon-access-key`;
  const { text } = await (isKnown ? ask : askWithNewId)(curfew(), who, whole);
  expect(text).toMatch(/key file “[^”]+” cannot be used: .*Nothing was changed\./s);
  expect(text).not.toContain("hush");
  expect(sent()).toEqual([]);
});

it.each([`"${sales}/../${build}" --key-file build.json`, '"." --key-file loose.json', '".." --key-file loose.json'])(
  "no credential has a path for an id: %s",
  async (line) => {
    const { text, message } = await ask(curfew(), "carol", `credential edit ${line} --sub-type amazon-standard`);
    expect(text).toContain("Nothing was changed");
    expect(buttonsOn(message).filter((label) => label.startsWith("Use "))).toEqual([]);
  },
);

it("the refusal says where a credential's key file must be", async () => {
  const { text } = await ask(
    curfew(),
    "alice",
    `credential edit ${sales} --key-file none.json --sub-type amazon-standard --type amazon-access-key`,
  );
  expect(text).toContain(`those who run Curfew put it into the folder ${sales} of the key files`);
});

it("a key file in the credential's own folder is sent", async () => {
  await ask(
    curfew(),
    "carol",
    `credential edit ${build} --sub-type amazon-standard --type amazon-access-key --key-file build.json`,
  );
  expect(lastBody(curfew(), "ModifyCredential")).toMatchObject({ amazonIamAccessKey: JSON.parse(key("build")) });
});
