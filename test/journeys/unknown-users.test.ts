import { describe, expect, it } from "vitest";
import { ask, buttonsOn, type CommandReply, changesSentTo, openForm, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot();

/** A user of the service whom neither the config nor an answer has named. */
function addUser(number: number, username: string): string {
  const { users } = curfew().service.account;
  const [somebody] = users.values();
  if (somebody === undefined) throw new Error("The account has no users.");
  const userId = `u-${String(number).padStart(8, "0")}`;
  const emailAddress = `${username}@example.com`;
  users.set(userId, { ...somebody, userId, username, emailAddress, status: "enabled", mfaType: "google-auth" });
  return userId;
}

async function giveId(who: string, reply: CommandReply) {
  const person = curfew().workspace.as(who);
  await person.press("Give the id…", reply.message);
  return curfew().workspace.waitFor(() => person.openView(), { what: `a form for ${who}` });
}

describe("a user whose address Curfew does not know", () => {
  it("can be named by the address and the id in one line, and by the address from then on", async () => {
    const id = addUser(41, "ingrid");
    const unknown = await ask(curfew(), "bob", "disable ingrid@example.com");
    expect(unknown.text).toContain("Curfew knows no service user with the address ingrid@example.com.");
    expect(unknown.text).toContain("Nothing was changed. The service's console shows the id under “Users”.");
    expect(unknown.text).toContain("Type it after the address, or alone.");
    expect(buttonsOn(unknown.message)).toEqual(["Give the id…"]);
    expect((await ask(curfew(), "bob", `disable ingrid@example.com ${id}`)).text).toContain("You disabled ingrid");
    expect((await ask(curfew(), "bob", "enable ingrid@example.com")).text).toContain("You enabled ingrid");
  });

  it("is named by adding the id in the form that the button opens, and by the address from then on", async () => {
    const id = addUser(42, "ines");
    const form = await giveId("bob", await ask(curfew(), "bob", "user disable ines@example.com"));
    expect(form.fields[0]).toBe("User");
    expect(form.values).toMatchObject({ User: { value: "ines@example.com" } });
    expect(form.text).toContain("The service's console shows the id under “Users”.");
    const bob = curfew().workspace.as("bob");
    expect(await bob.submit()).toMatchObject({ kind: "errors" });
    expect((await send(curfew(), "bob", { User: `ines@example.com ${id}` })).text).toContain("You disabled ines");
    expect((await ask(curfew(), "bob", "enable ines@example.com")).text).toContain("You enabled ines");
  });

  it("is named by the id alone in that form, which keeps the rest of the line", async () => {
    const id = addUser(43, "ivar");
    const line = "user email ivar@example.com ivar.new@example.com --reason married";
    const form = await giveId("bob", await ask(curfew(), "bob", line));
    expect(form.values).toMatchObject({ "New e-mail address": { value: "ivar.new@example.com" } });
    const { text, changeId } = await send(curfew(), "bob", { User: id });
    expect(text).toContain("You changed the e-mail address of ivar to ivar.new@example.com");
    expect((await ask(curfew(), "bob", `history ${changeId}`)).text).toContain("married");
  });

  it.each([
    ["user email olga@example.com u-00000044 olga.new@example.com", "You changed the e-mail address of olga"],
    ["disable olga.new@example.com (id u-00000044)", "You disabled olga"],
  ])("is understood in “%s”", async (line, done) => {
    if (!curfew().service.account.users.has("u-00000044")) addUser(44, "olga");
    expect((await ask(curfew(), "bob", line)).text).toContain(done);
  });

  it("is offered the nearest as well, and a Slack mention leads to the same form", async () => {
    const near = await ask(curfew(), "bob", "disable alicee@example.com");
    expect(buttonsOn(near.message)).toEqual(["alice (u-00000002)", "Give the id…"]);
    const id = addUser(45, "fred");
    const mention = await ask(curfew(), "bob", "disable @fred");
    expect(mention.text).toContain("no service user with fred@example.com (the address in Slack)");
    const form = await giveId("bob", mention);
    expect(form.values).toMatchObject({ User: { value: null } });
    expect((await send(curfew(), "bob", { User: id })).text).toContain("You disabled fred");
    expect((await ask(curfew(), "bob", "enable @fred")).text).toContain("You enabled fred");
  });

  it("is found out about in the form's own select, which takes the id", async () => {
    const id = addUser(46, "otto");
    await openForm(curfew(), "bob", "user disable");
    const bob = curfew().workspace.as("bob");
    const options = async (query: string) => (await bob.suggest("User", query)).map(({ text }) => text);
    expect(await options("otto@example.com")).toEqual(["“otto@example.com” is not known: type the id"]);
    await bob.fill({ User: "otto@example.com" });
    const refused = await bob.submit();
    expect(JSON.stringify(refused)).toContain("The service's console shows the id under “Users”.");
    expect(await options("Dave@example.com")).toEqual(["dave (u-00000004)"]);
    expect(await options(`otto@example.com ${id}`)).toEqual([`“${id}” (new to Curfew, used as an id)`]);
    expect((await send(curfew(), "bob", { User: id })).text).toContain("You disabled otto");
    expect((await ask(curfew(), "bob", "enable otto@example.com")).text).toContain("You enabled otto");
  });

  it("is asked about when the id or the address is somebody else's, and nothing is sent", async () => {
    const sent = changesSentTo(curfew());
    const other = await ask(curfew(), "bob", "disable dave@example.com u-00000002");
    expect(other.text).toContain("Curfew knows dave (u-00000004), dave@example.com. Nothing was changed.");
    const taken = await ask(curfew(), "bob", "disable nobody@example.com u-00000002");
    expect(taken.text).toContain("Curfew knows alice (u-00000002), alice@example.com. Nothing was changed.");
    expect(buttonsOn(taken.message)).toEqual(["alice (u-00000002)", "Give the id…"]);
    expect((await ask(curfew(), "bob", "disable nobody@example.com now")).text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
    const fits = await ask(curfew(), "bob", "disable dave@example.com u-00000004");
    expect(fits.text).toContain("You disabled dave");
  });

  it("is not asked of people who may not change users", async () => {
    const refused = await ask(curfew(), "dave", "disable nobody@example.com");
    expect(refused.text).not.toContain("Users");
    expect(buttonsOn(refused.message)).not.toContain("Give the id…");
  });
});

describe("a project, credential or policy that Curfew does not know", () => {
  it("is named by its id in the form of the reply", async () => {
    const { projects } = curfew().service.account;
    const [some] = projects.values();
    if (some === undefined) throw new Error("The account has no projects.");
    projects.set("p-new", { ...some, projectId: "p-new", name: "Brand new" });
    const unknown = await ask(curfew(), "carol", 'project rename "brand new one" Shop');
    expect(unknown.text).toContain("If it is new, the service's console shows its id under “Projects”.");
    const carol = curfew().workspace.as("carol");
    await carol.press("Open the form", unknown.message);
    const form = await curfew().workspace.waitFor(() => carol.openView(), { what: "a form" });
    expect(form.values).toMatchObject({ Project: { value: "brand new one" } });
    const { text } = await send(curfew(), "carol", { Project: "p-new" });
    expect(text).toContain("You renamed project p-new to Shop");
    expect((await ask(curfew(), "carol", "project rename shop Shop 2")).text).toContain("You renamed project Shop");
  });
});
