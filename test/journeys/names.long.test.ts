import { afterEach, describe, expect, it } from "vitest";
import {
  ask,
  askWithNewId,
  buttonsOn,
  type CommandReply,
  changesSentTo,
  end,
  fillIn,
  messagesAfter,
  openForm,
  send,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig.replace(
  "resourceTypes: [amazon-ec2-instance]",
  "resourceTypes: [amazon-ec2-instance, amazon-rds-instance]",
);
const { curfew, clock, person } = oneBot({ config });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const press = (who: string, label: string, { message }: CommandReply) =>
  messagesAfter(curfew(), who, () => person(who).press(label, message));
const formAfter = async (who: string, label: string, { message }: CommandReply) => {
  await person(who).press(label, message);
  return curfew().workspace.waitFor(() => person(who).openView(), { what: "a form" });
};
const lastCreate = () => lastBody(curfew(), "CreateActionExclusion");
const endOf = (id: string) => Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
const hourMs = 3_600_000;
/** All exclusions of a test end before the next one. */
afterEach(() => clock.advance(8 * hourMs));

describe("a name on a line", () => {
  it("may be the start of a name or of a word in it", async () => {
    expect(await told("carol", 'project rename dev "Dev team"')).toContain("You renamed project Development");
    expect(await told("carol", "project rename team Development")).toContain("You renamed project Dev team");
    expect(await told("bob", "user disable DAV")).toContain("You disabled dave");
    expect(await told("carol", "policy show oper")).toContain("Managed policy Schedule operators");
  });

  it("that nothing has goes nowhere, and the nearest names are offered", async () => {
    const sent = changesSentTo(curfew());
    const question = await ask(curfew(), "bob", "user disable alcie --reason left");
    expect(question.text).toContain("Curfew knows no user called “alcie”. Nothing was changed.");
    expect(question.changeId).toBe("");
    expect(buttonsOn(question.message)).toEqual(["alice (u-00000002)", "Use “alcie” as a user id"]);
    expect(sent()).toEqual([]);
    const { text, changeId } = await press("bob", "alice (u-00000002)", question);
    expect(text).toContain("You disabled alice");
    expect(await told("bob", `history ${changeId}`)).toContain("left");
  });

  it("is used as an id that Curfew has not seen only after a yes", async () => {
    const sent = changesSentTo(curfew());
    const question = await ask(curfew(), "bob", "user disable u-00000005");
    expect(question.text).toContain("If it is new, the service's console shows its id under “Users”.");
    expect(sent()).toEqual([]);
    expect((await press("bob", "Use “u-00000005” as a user id", question)).text).toContain("You disabled erin");
    // From then on it is known.
    expect(await told("bob", "user enable u-00000005")).toContain("You enabled erin");
    expect(await told("bob", "user disable eri")).toContain("You disabled erin");
  });

  it("opens the form of a command that confirms or lacks something, with the rest filled in", async () => {
    const question = await ask(curfew(), "bob", "user remove-mfa bbob google-auth");
    const form = await formAfter("bob", "bob (u-00000001)", question);
    expect(form.title).toBe("Remove MFA");
    expect(form.values).toMatchObject({
      User: { selected_option: { value: "u-00000001" } },
      "Present MFA type": { selected_option: { value: "google-auth" } },
    });
    await person("bob").cancel();
    const lacking = await ask(curfew(), "carol", "exclude i-0a9 --project Produktion --type amazon-ec2 for 2h");
    expect(lacking.text).toContain("“amazon-ec2” is not one of");
    const exclude = await formAfter("carol", "Production (p-prod)", lacking);
    expect(exclude.values).toMatchObject({ Project: { selected_option: { value: "p-prod" } } });
  });

  it("never offers a project that the requester may not use", async () => {
    for (const name of ["prod", "Produktion", "roduct"]) {
      const { text, message } = await ask(curfew(), "alice", `exclude i-0a9 --project ${name} for 1h`);
      expect(text).not.toContain("Production");
      expect(buttonsOn(message)).toEqual([`Use “${name}” as a project id`]);
    }
    const own = await ask(curfew(), "alice", "exclude i-0a9 --project develop for 1h");
    expect(own.text).toContain("Keeping i-0a9");
  });

  it("is checked again when its button is pressed", async () => {
    const question = await ask(curfew(), "bob", "user disable daev");
    await reload(curfew(), config.replace("members: [U02BOB]", "members: [U04DAVE]"));
    expect((await press("bob", "dave (u-00000004)", question)).text).toContain("You can't ");
    await reload(curfew(), config);
  });
});

describe("an exclusion", () => {
  const made = async (who: string, line: string) => (await ask(curfew(), who, line)).exclusionId;

  it("is found by its group, and by a resource that it covers", async () => {
    const id = await made("alice", "exclude staging for 2h");
    const before = endOf(id);
    expect(await told("alice", "exclusion extend Staging for 1h")).toContain(": now until");
    expect(endOf(id)).toBe(before + hourMs);
    // One of its machines alone gets an exclusion of its own.
    expect(await told("alice", "exclusion extend i-0a2 for 1h")).toContain("Keeping i-0a2");
    expect(endOf(id)).toBe(before + hourMs);
    const link = "https://eu-west-1.console.aws.amazon.com/ec2/home?a=1&b=2#InstanceDetails:instanceId=i-0a1";
    await told("alice", `exclusion extend ${link} for 1h`);
    expect(endOf(id)).toBe(before + 2 * hourMs);
    expect(await told("alice", "exclusion end Staging")).toContain("You stopped keeping staging running.");
    expect(await told("alice", "exclusion extend staging for 1h")).toContain(
      "Nobody keeps staging running or off, as far as you can see. Nothing was changed.",
    );
  });

  it("of several that fit is offered with its maker and its end", async () => {
    const one = await made("carol", "exclude staging for 2h");
    const other = await made("carol", 'exclude staging --process start --name "Load test" for 3h');
    const sent = changesSentTo(curfew());
    const question = await ask(curfew(), "carol", "exclusion extend staging for 1h");
    expect(question.text).toContain(`carol: staging (${one}), made by you, until `);
    expect(question.text).toContain(`Load test (${other}), made by you, until `);
    expect(sent()).toEqual([]);
    const before = endOf(other);
    await press("carol", `Load test (${other})`, question);
    expect(endOf(other)).toBe(before + hourMs);
  });

  it("of somebody else is no candidate beside one's own, where the role covers only those", async () => {
    const theirs = await made("carol", "exclude staging for 2h");
    const own = await made("alice", "exclude staging --process start for 3h");
    const before = [endOf(theirs), endOf(own)];
    expect(await told("alice", "exclusion extend staging for 1h")).toContain(": now until");
    expect([endOf(theirs), endOf(own)]).toEqual([before[0], (before[1] ?? 0) + hourMs]);
    await end(curfew(), "alice", own);
    expect(await told("alice", "exclusion extend staging for 1h")).toMatch(/only if you made it/);
  });

  it("of a part of a group is offered, but not taken", async () => {
    const id = await made("carol", "exclude i-0a1 --project p-dev for 2h");
    const { message } = await ask(curfew(), "carol", "exclusion extend staging for 1h");
    expect(buttonsOn(message)[0]).toBe(`carol: i-0a1 (${id})`);
  });

  it("of a project that the requester may not see is not offered", async () => {
    for (const name of ["First", "Second"])
      await told("carol", `exclude i-0f1 --project p-prod --name "${name} secret" for 2h`);
    const { text } = await ask(curfew(), "alice", "exclusion extend i-0f1 for 1h");
    expect(text).not.toContain("secret");
    expect(await told("alice", "exclusion extend secre for 1h")).not.toContain("First");
  });
});

describe("resources on a line", () => {
  it("near a group's name lead to the group by a button, with the rest of the line", async () => {
    const sent = changesSentTo(curfew());
    const question = await ask(curfew(), "alice", "exclude stagng --reason demo for 2h");
    expect(question.text).toMatch(/I don't know “stagng”\. .* Nothing was changed\. Did you mean “staging”\?/);
    expect(sent()).toEqual([]);
    const { text } = await press("alice", "staging", question);
    expect(text).toContain("Keeping staging");
    expect(lastCreate()).toMatchObject({ name: "alice: staging", projectId: "p-dev" });
    expect(Date.parse(String(Object(lastCreate()).expiryDate)) - clock.now()).toBeGreaterThan(1.9 * hourMs);
  });

  it("that are nothing Curfew knows are named, and nothing is excluded", async () => {
    const sent = changesSentTo(curfew());
    const text = await told("alice", "exclude load balancers tonight");
    expect(text).toContain("I don't know “load” and “balancers”");
    await openForm(curfew(), "alice", "exclude");
    await fillIn(curfew(), "alice", { What: "load, balancers", "Resource type": "amazon-ec2-instance" });
    expect(await person("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { What: expect.stringContaining("“load” and “balancers” are not EC2 instance ids") },
    });
    expect(sent()).toEqual([]);
  });

  it("may be copied from the console, which tells the type", async () => {
    const link =
      "https://eu-west-1.console.aws.amazon.com/rds/home?region=eu-west-1#database:id=orders;is-cluster=false";
    expect(await told("alice", `exclude ${link} --project p-dev for 1h`)).toContain("Keeping orders running until ");
    expect(lastCreate()).toMatchObject({ resourceIds: ["orders"], resourceType: "amazon-rds-instance" });
  });
});

describe("a form", () => {
  it("offers an unknown id as what it is, after the known ones", async () => {
    await openForm(curfew(), "bob", "user disable");
    const options = (await person("bob").suggest("User", "u-0")).map(({ text }) => text);
    expect(options.at(-1)).toBe("“u-0” (new to Curfew, used as an id)");
    expect(options.length).toBeGreaterThan(2);
    await person("bob").fill({ User: "u-00000077" });
    expect((await send(curfew(), "bob")).text).toContain("(UserNotFound)");
  });

  it("does not take a typed name for an id when it opens with another problem", async () => {
    const form = await openForm(curfew(), "carol", 'exclude i-0a9 --project "No such" --type ec2');
    expect(form.values.Project?.selected_option ?? null).toBeNull();
  });

  it("asks once before a new word is used as a resource's name", async () => {
    await openForm(curfew(), "alice", "exclude");
    const sent = changesSentTo(curfew());
    await fillIn(curfew(), "alice", {
      "Resource type": "amazon-rds-instance",
      Project: "Development (p-dev)",
      What: "invoices",
    });
    expect(await person("alice").submit()).toEqual({ kind: "updated" });
    const asked = person("alice").openView();
    expect(asked?.text).toContain("“invoices” is new to Curfew. Sending this form uses it as an RDS instance name.");
    expect(asked?.values).toMatchObject({ What: { value: "invoices" } });
    expect(sent()).toEqual([]);
    expect((await send(curfew(), "alice")).text).toContain("Keeping invoices running until ");
    // It has been seen now.
    await openForm(curfew(), "alice", "exclude");
    const again = { "Resource type": "amazon-rds-instance", Project: "p-dev", What: "invoices" };
    expect((await send(curfew(), "alice", { ...again, Effect: "Keep off" })).text).toContain(
      "Keeping invoices off until ",
    );
  });

  it("asks about another word that was typed after the first question", async () => {
    await openForm(curfew(), "carol", "group save");
    await person("carol").fill({
      Group: "books",
      "Resource type": "google-vm-instance",
      Project: "Development (p-dev)",
      "Resource ids": "ledger",
    });
    expect(await person("carol").submit()).toEqual({ kind: "updated" });
    await person("carol").fill({ "Resource ids": "ledger archive" });
    expect(await person("carol").submit()).toEqual({ kind: "updated" });
    expect(person("carol").openView()?.text).toContain(
      "“ledger”, “archive” are new to Curfew. Sending this form uses them as Google VM names.",
    );
    expect((await send(curfew(), "carol")).text).toContain("Saved group books");
  });

  it("that opens from a line says so at once, and is sent once", async () => {
    const line = "exclude payroll --type amazon-rds-instance --project dev --process sideways for 1h";
    const form = await openForm(curfew(), "alice", line);
    expect(form.text).toContain("“payroll” is new to Curfew.");
    expect((await send(curfew(), "alice")).text).toContain("Keeping payroll running until ");
  });
});

it("a project id that Curfew has not seen is refused by the service only after a yes", async () => {
  const { text } = await askWithNewId(curfew(), "carol", "exclude i-0e9 --project p-none for 1h");
  expect(text).toContain("(ProjectNotFound)");
});
