import { expect, it } from "vitest";
import { runWithArgs } from "../cli/run-with-args.ts";
import { ask, cardOf, openForm, send, textOf } from "../support/journey.ts";
import { urlOf } from "../support/new-database.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot();

async function importFile(file: string, lines: readonly string[]): Promise<string> {
  const { output, errors } = await runWithArgs(["directory", "import", file], {
    env: { DATABASE_URL: urlOf(curfew().database) },
    files: { [file]: lines.join("\n") },
  });
  expect(errors).toBe("");
  return output;
}

/** A user of the service whom neither the config nor an answer has named. */
function addUser(userId: string, username: string): void {
  const { users } = curfew().service.account;
  const [somebody] = users.values();
  if (somebody === undefined) throw new Error("The account has no users.");
  const emailAddress = `${username}@example.com`;
  users.set(userId, { ...somebody, userId, username, emailAddress, status: "enabled", mfaType: "google-auth" });
}

it("a running Curfew finds imported users by line, form and list, without a restart", async () => {
  addUser("u-00000031", "ingrid");
  addUser("u-00000032", "ines");
  expect((await ask(curfew(), "bob", "disable ingrid@example.com")).text).toContain("knows no service user");
  expect((await ask(curfew(), "bob", "users ingr")).text).not.toContain("ingrid");
  await importFile("users.csv", [
    "id,name,email,mfaType",
    "u-00000031,ingrid,ingrid@example.com,google-auth",
    "u-00000032,ines,ines@example.com,google-auth",
  ]);
  expect((await ask(curfew(), "bob", "disable ingrid@example.com")).text).toContain("You disabled ingrid.");
  expect((await ask(curfew(), "carol", "users ingr")).text).toContain("ingrid@example.com");
  await openForm(curfew(), "bob", "user disable");
  const { changeId } = await send(curfew(), "bob", { User: "ines (u-00000032)" });
  expect(textOf(await cardOf(curfew(), changeId))).toContain("disabled ines");
});
