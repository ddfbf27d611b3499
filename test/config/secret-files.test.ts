import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSecretFiles } from "../../src/config/secret-files.ts";

const home = mkdtempSync(join(tmpdir(), "curfew-keys-"));
const all = join(home, "keys");
const credential = "cred-1";
const folder = join(all, credential);
mkdirSync(join(folder, "..data"), { recursive: true });
mkdirSync(join(home, "keys-of-others"));
const key = JSON.stringify({ secretAccessKey: "hush" });
writeFileSync(join(folder, "..data", "inner.json"), key);
writeFileSync(join(home, "keys-of-others", "theirs.json"), key);
writeFileSync(join(folder, "key.json"), key);
writeFileSync(join(folder, "broken.json"), `hush ${key}`);
writeFileSync(join(folder, "large.json"), JSON.stringify("x".repeat(70_000)));
mkdirSync(join(folder, "folder.json"));
// Kubernetes mounts a secret as a link to a file inside the folder.
symlinkSync(join("..data", "inner.json"), join(folder, "mounted.json"));
symlinkSync(join(home, "keys-of-others", "theirs.json"), join(folder, "theirs.json"));
const files = createSecretFiles(all);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test.each(["key.json", "mounted.json"])("reads %s", async (name) => {
  expect(await files.read(credential, name)).toEqual({ kind: "read", content: { secretAccessKey: "hush" } });
});

test.each([
  ["theirs.json", "leads out of the credential's folder"],
  ["../keys/key.json", "plain name"],
  ["..data/inner.json", "plain name"],
  ["..\\key.json", "plain name"],
  [join(folder, "key.json"), "plain name"],
  ["..", "plain name"],
  ["key.json\0", "plain name"],
  ["", "plain name"],
  ["missing.json", "no such file"],
  ["folder.json", "no such file"],
  ["broken.json", "not JSON"],
  ["large.json", "too large"],
])("refuses %j without quoting its content", async (name, reason) => {
  const read = await files.read(credential, name);
  expect(read).toMatchObject({ kind: "unreadable", reason: expect.stringContaining(reason) });
  expect(JSON.stringify(read)).not.toContain("hush");
  expect(JSON.stringify(read)).not.toContain(home);
});

test("reads nothing when no folder is configured", async () => {
  expect(await createSecretFiles(undefined).read(credential, "key.json")).toMatchObject({
    kind: "unreadable",
    reason: expect.stringContaining("CURFEW_SECRETS_DIR"),
  });
});
