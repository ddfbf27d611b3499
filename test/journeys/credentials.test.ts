import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  askWithNewId,
  cardOf,
  changesSentTo,
  messagesAfter,
  openForm,
  openFormFromReply,
  openFormWithNewId,
  send,
  textOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const pemLines = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "-----END PRIVATE KEY-----"];
const google = {
  type: "service_account",
  project_id: "example-analytics",
  private_key_id: "4f1c7d0e9b2a4f1c7d0e",
  private_key: `${pemLines.join("\n")}\n`,
  client_email: "new@example-analytics.iam.gserviceaccount.com",
};
const secrets = [secretKey, "AKIAI44QH8DHBNEWKEY1", google.private_key_id, pemLines[1] ?? ""];

const home = mkdtempSync(join(tmpdir(), "curfew-keys-"));
const secretsDir = join(home, "keys");
const keyFiles: Readonly<Record<string, string>> = {
  "access.json": JSON.stringify({ accessKeyId: "AKIAI44QH8DHBNEWKEY1", secretAccessKey: secretKey }),
  "google.json": JSON.stringify(google),
  "half.json": JSON.stringify({ accessKeyId: "AKIAI44QH8DHBNEWKEY1" }),
  "text.json": `secret = ${secretKey}`,
};
const outside = join(home, "outside.json");
writeFileSync(outside, keyFiles["access.json"] ?? "");
makeFolder();

const config = unlimitedConfig.replace(
  "    - { id: cred-00000003,",
  "    - { id: cred-00000008, name: Old build }\n    - { id: cred-00000009, name: old build }\n    - { id: cred-00000003,",
);
const { curfew } = oneBot({ config, secretsDir });
beforeAll(async () => {
  // Only an answer of the service has their types.
  await askWithNewId(curfew(), "carol", 'credential edit cred-00000002 --sub-type amazon-standard --name "AWS build"');
  await ask(curfew(), "carol", 'credential edit cred-00000001 --name "AWS main"');
  await ask(curfew(), "carol", 'credential edit cred-00000001 --name "AWS main account"');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
const lastEdit = () => lastBody(curfew(), "ModifyCredential");
const credentialOf = (id: string) => curfew().service.account.credentials.get(id);

/** Everything that is stored or shown: the database with its log, the log lines, and every message and view. */
function everythingKept(): string {
  const { database, logged, workspace } = curfew();
  const folder = dirname(database);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  const people = ["alice", "bob", "carol"].map((who) => workspace.as(who));
  const messages = people.flatMap((person) => ["ops", "dm"].map((where) => JSON.stringify(person.messages(where))));
  return [...files, ...logged, ...messages, ...people.map((person) => JSON.stringify(person.openView()))].join("\n");
}

describe("credential edit", () => {
  it("by a line sends only the changes and the sub type, and can be undone", async () => {
    const { text, changeId, message } = await ask(curfew(), "carol", 'credential edit cred-00000001 --name "AWS"');
    expect(text).toContain("You changed credential AWS main account");
    expect(lastEdit()).toEqual({ name: "AWS", cloudProviderSubTypeId: "amazon-standard" });
    expect(textOf(await cardOf(curfew(), changeId))).toContain("AWS main account → AWS");
    await messagesAfter(curfew(), "carol", () => curfew().workspace.as("carol").press("Undo", message));
    expect(credentialOf("cred-00000001")?.name).toBe("AWS main account");
  });

  it("by its form, filled from known values, sends the whole role", async () => {
    const form = await openForm(curfew(), "carol", "credential edit “AWS main account”");
    expect(form.fields).toEqual([
      "Name",
      "Cloud provider sub type",
      "Credential type",
      "Role ARN",
      "External id",
      "Reason",
    ]);
    expect(form.values).toMatchObject({
      Name: { value: "AWS main account" },
      "Cloud provider sub type": { selected_option: { value: "amazon-standard" } },
      "Role ARN": { value: "arn:aws:iam::123456789012:role/scheduler" },
      "External id": { value: "ext-5f0c2a" },
    });
    await send(curfew(), "carol", { "Role ARN": "arn:aws:iam::123456789012:role/curfew" });
    expect(lastEdit()).toEqual({
      cloudProviderSubTypeId: "amazon-standard",
      amazonIamRole: { roleArn: "arn:aws:iam::123456789012:role/curfew", externalId: "ext-5f0c2a" },
    });
  });

  it("asks for what it does not know, and says that the rest stays", async () => {
    const form = await openFormWithNewId(curfew(), "carol", "credential edit cred-00000077");
    expect(form.text).toContain("A field that you leave empty stays as it is.");
    expect(form.fields).toEqual([
      "Name",
      "Cloud provider sub type",
      "Credential type",
      "Role ARN",
      "External id",
      "New key",
      "Reason",
    ]);
    await curfew().workspace.as("carol").fill({ "Credential type": "amazon-access-key" });
    await curfew().workspace.waitFor(
      () => !curfew().workspace.as("carol").openView()?.fields.includes("Role ARN") || undefined,
    );
    await send(curfew(), "carol", { Name: "Somewhere", "Cloud provider sub type": "amazon-standard" });
    expect(lastEdit()).toEqual({ name: "Somewhere", cloudProviderSubTypeId: "amazon-standard" });
  });

  it("reads a new key from its file but never stores, logs, shows or undoes it", async () => {
    const { message, changeId } = await ask(curfew(), "carol", "credential edit cred-00000002 --key-file access.json");
    expect(lastEdit()).toEqual({
      cloudProviderSubTypeId: "amazon-standard",
      amazonIamAccessKey: JSON.parse(keyFiles["access.json"] ?? ""),
    });
    expect(JSON.stringify(message.blocks)).not.toContain('"Undo"');
    const history = (await ask(curfew(), "carol", `history ${changeId}`)).text;
    expect(history).toContain("Key: replaced by the one in its file");
    await ask(curfew(), "carol", "credential edit cred-00000003 --key-file google.json");
    expect(lastEdit()).toEqual({ cloudProviderSubTypeId: "google-standard", googleServiceAccountKey: google });
    const kept = everythingKept();
    for (const secret of secrets) expect(kept).not.toContain(secret);
    expect(kept).toContain("access.json");
    expect(kept).not.toContain(google.client_email);
  });

  it("hides a key that the service quotes in a refusal", async () => {
    const { credentials } = curfew().service.account;
    const quotes = new Map([
      ["cred-00000002", `${secretKey} and more`],
      ["cred-00000003", `${JSON.stringify(google.private_key)} and ${pemLines[1]}`],
    ]);
    credentials.get = (id) => {
      throw new Error(`bad key: ${quotes.get(id)}`);
    };
    curfew().service.faults.clear();
    try {
      const first = await ask(curfew(), "carol", "credential edit cred-00000002 --key-file access.json");
      expect(first.text).toContain("bad key: ••• and");
      expect(first.text).not.toContain(secretKey);
      const second = await ask(curfew(), "carol", "credential edit cred-00000003 --key-file google.json");
      expect(second.text).toContain("bad key:");
      expect(second.text).not.toContain(pemLines[1]);
    } finally {
      Reflect.deleteProperty(credentials, "get");
    }
  });

  it.each([
    ["../outside.json", "only the plain name of a file may be given"],
    ["/etc/passwd", "only the plain name of a file may be given"],
    [".hidden", "only the plain name of a file may be given"],
    ["leads-out.json", "it leads out of the credential's folder of key files"],
    ["missing.json", "there is no such file"],
    ["text.json", "it is not JSON"],
    ["half.json", "it needs accessKeyId and secretAccessKey"],
    ["google.json", "it needs accessKeyId and secretAccessKey"],
  ])("refuses the key file “%s” before anything is recorded or sent", async (file, why) => {
    const requests = curfew().service.requests.length;
    const { text } = await ask(curfew(), "carol", `credential edit cred-00000002 --key-file ${file}`);
    expect(text).toContain(why);
    expect(text).toContain("Nothing was changed");
    expect(text).not.toContain("chg-");
    expect(text).not.toContain(secretKey);
    expect(curfew().service.requests).toHaveLength(requests);
  });

  it.each([
    ["cred-00000002 --role-arn arn:aws:iam::1:role/x", "A role needs a credential of the type amazon-iam-role"],
    ["cred-00000001 --key-file access.json", "has no key: give the role's ARN"],
    ["cred-00000001 --type amazon-access-key", "which can't be changed"],
    ["cred-00000001 --sub-type amazon-standard", "It is like that already."],
  ])("with “%s” reports what does not fit the credential's type", async (line, problem) => {
    const sent = changesSentTo(curfew());
    const { text } = await ask(curfew(), "carol", `credential edit ${line}`);
    expect(text).toContain(problem);
    expect(text).toContain("Nothing was changed");
    expect(sent()).toEqual([]);
  });

  it("is refused to someone without a role and hides the key files from them", async () => {
    const sent = changesSentTo(curfew());
    const { text } = await ask(
      curfew(),
      "bob",
      "credential edit cred-00000002 --key-file missing.json --sub-type amazon-china",
    );
    expect(text).toContain("You can't ");
    expect(text).not.toContain("no such file");
    expect(sent()).toEqual([]);
  });

  it.each([["credential edit “No such” --name X", "Curfew knows no credential called “No such”"]])(
    "typed as “%s” asks for the credential first",
    async (line, problem) => {
      const sent = changesSentTo(curfew());
      const { fields, reply } = await openFormFromReply(curfew(), "carol", line);
      expect(reply.text).toContain(problem);
      expect(fields).toEqual(["Credential"]);
      expect(sent()).toEqual([]);
    },
  );

  it("by an ambiguous name offers the candidates, and opens the form of the chosen one", async () => {
    const { text, message } = await ask(curfew(), "carol", "credential edit “old build” --name X");
    expect(text).toContain("could be more than one credential");
    const carol = curfew().workspace.as("carol");
    await carol.press("old build (cred-00000009)", message);
    const form = await curfew().workspace.waitFor(() => carol.openView());
    expect(form.text).toContain("*Credential:* old build (cred-00000009)");
    expect(form.values.Name).toMatchObject({ value: "X" });
  });
});

describe("credential delete", () => {
  it("asks for the name, refuses a wrong one and deletes permanently on the right one", async () => {
    const spare = credentialOf("cred-00000002");
    if (!spare) throw new Error("The account has no such credential.");
    curfew().service.account.credentials.set("cred-00000004", { ...spare, credentialId: "cred-00000004" });
    await askWithNewId(
      curfew(),
      "carol",
      'credential edit cred-00000004 --sub-type amazon-standard --name "AWS spare"',
    );
    const form = await openForm(curfew(), "carol", "credential delete cred-00000004");
    expect(form.text).toContain("This can't be undone");
    const carol = curfew().workspace.as("carol");
    await carol.fill({ "Type its name": "AWS" });
    expect(await carol.submit()).toMatchObject({
      kind: "errors",
      errors: { "Type its name": expect.stringContaining("That is not its name") },
    });
    expect(credentialOf("cred-00000004")).toBeDefined();
    const { text, message } = await send(curfew(), "carol", { "Type its name": "AWS spare" });
    expect(text).toContain("You deleted credential AWS spare");
    expect(JSON.stringify(message.blocks)).not.toContain('"Undo"');
    expect(credentialOf("cred-00000004")).toBeUndefined();
  });

  it("takes an id without a known name, and shows the service's error", async () => {
    await openFormWithNewId(curfew(), "carol", "credential delete cred-404 --name cred-404");
    expect((await send(curfew(), "carol")).text).toContain("(CredentialNotFound)");
    await openForm(curfew(), "carol", "credential delete");
    const { text } = await send(curfew(), "carol", {
      Credential: "cred-00000003",
      "Type its name": "Google analytics project",
    });
    expect(text).toContain("(CredentialInUse)");
    expect(text).toContain("nothing was changed");
  });

  it("is refused to someone without a role, and asks which credential when unclear", async () => {
    expect((await ask(curfew(), "bob", "credential delete cred-00000001")).text).toContain("You can't ");
    const sent = changesSentTo(curfew());
    const { fields, reply } = await openFormFromReply(curfew(), "carol", "credential delete “No such”");
    expect(reply.text).toContain("Curfew knows no credential called “No such”");
    expect(fields).toContain("Credential");
    expect(sent()).toEqual([]);
  });
});

function makeFolder(): void {
  const made = mkdtempSync(join(home, "made-"));
  for (const credential of ["cred-00000001", "cred-00000002", "cred-00000003"]) {
    const folder = join(made, credential);
    mkdirSync(folder);
    for (const [name, content] of Object.entries(keyFiles)) writeFileSync(join(folder, name), content);
    symlinkSync(outside, join(folder, "leads-out.json"));
  }
  symlinkSync(made, secretsDir);
}
