import { describe, expect, it } from "vitest";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  messagesAfter,
  nowOf,
  openForm,
  openFormWithNewId,
  send,
  textOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });
const lastEdit = () => lastBody(curfew(), "ModifyActionExclusion");
const exclusionOf = (id: string) => curfew().service.account.exclusions.get(id);

async function newExclusion(who = "alice", name = "Nightly run") {
  const { exclusionId } = await ask(curfew(), who, `exclude staging for 2h --another --name "${name}"`);
  const id = exclusionId;
  const made = exclusionOf(id);
  if (!made) throw new Error("No exclusion was made.");
  return { id, made };
}

describe("exclusion edit", () => {
  it("shows every field filled in, and its form sends the whole exclusion with the edit", async () => {
    const { id, made } = await newExclusion();
    const form = await openForm(curfew(), "alice", `exclusion edit ${id}`);
    expect(form.text).toContain(`*What:* Nightly run (${id})`);
    expect(form.fields).toEqual([
      "Name",
      "Until",
      "Effect",
      "Enabled",
      "Resource type",
      "Resources named by",
      "Resource ids",
      "Reason",
    ]);
    expect(form.values).toMatchObject({
      Name: { value: "Nightly run" },
      Effect: { selected_option: { value: "stop" } },
      Enabled: { selected_option: { value: "yes" } },
      "Resource type": { selected_option: { value: "amazon-ec2-instance" } },
      "Resource ids": { value: "i-0a1, i-0a2" },
    });
    const { text, changeId } = await send(curfew(), "alice", {
      Effect: "Leave alone",
      Enabled: "No",
      "Resource ids": "i-0a1",
    });
    expect(text).toContain("You changed “Nightly run”");
    expect((await ask(curfew(), "alice", `history ${changeId}`)).text).toContain("Resources: i-0a1, i-0a2 → i-0a1");
    expect(lastEdit()).toEqual({
      name: "Nightly run",
      isEnabled: false,
      // Untouched, so it is sent to the millisecond although a picker shows whole minutes.
      expiryDate: made.expiryDate,
      resourceType: "amazon-ec2-instance",
      resourceIdentificationMethod: "by-resource-id",
      processes: ["start-resource", "stop-resource"],
      resourceIds: ["i-0a1"],
    });
  });

  it("sends nothing when its form or line changes nothing", async () => {
    const { id } = await newExclusion();
    const sent = changesSentTo(curfew());
    const form = await openForm(curfew(), "alice", `exclusion edit ${id}`);
    expect(form.text).not.toContain("missing");
    const nothing = "It is like that already.";
    const submitted = await curfew().workspace.as("alice").submit();
    expect(JSON.stringify(submitted)).toContain(nothing);
    await curfew().workspace.as("alice").cancel();
    const { text } = await ask(curfew(), "alice", `exclusion edit ${id} --name "Nightly run" --process stop`);
    expect(text).toContain(nothing);
    expect(sent()).toEqual([]);
  });

  it("by a line changes only the named fields, updates the earlier card and can be undone", async () => {
    const made = await ask(curfew(), "alice", 'exclude staging for 2h --another --name "By a line"');
    const id = made.exclusionId;
    const before = exclusionOf(id);
    const card = await cardOf(curfew(), made.changeId);
    const { message } = await ask(curfew(), "alice", `exclusion edit ${id} --name “Longer” for 5h`);
    expect(lastEdit()).toMatchObject({ name: "Longer", processes: ["stop-resource"], resourceIds: ["i-0a1", "i-0a2"] });
    expect(Date.parse(exclusionOf(id)?.expiryDate ?? "")).toBeGreaterThan(Date.parse(before?.expiryDate ?? "") + 1);
    await curfew().workspace.waitFor(
      () => textOf(nowOf(curfew(), card)).includes("edited by <@U01ALICE>") || undefined,
    );
    await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("Undo", message));
    expect(exclusionOf(id)).toMatchObject({ name: "By a line", expiryDate: before?.expiryDate });
  });

  it("asks for no ids when resources are matched otherwise, and keeps the typed text", async () => {
    const { id } = await newExclusion("carol");
    await openForm(curfew(), "carol", `exclusion edit ${id}`);
    const carol = curfew().workspace.as("carol");
    await carol.fill({ Name: "All of them", "Resources named by": "all" });
    const redrawn = await curfew().workspace.waitFor(() => {
      const view = carol.openView();
      return view?.fields.includes("Resource ids") ? undefined : view;
    });
    expect(redrawn.values.Name).toMatchObject({ value: "All of them" });
    await send(curfew(), "carol");
    expect(lastEdit()).toMatchObject({ name: "All of them", resourceIdentificationMethod: "all" });
    expect(lastEdit()).not.toHaveProperty("resourceIds");
  });

  it("asks for the exclusion when none is named, or the name is unknown or ambiguous", async () => {
    await newExclusion("carol", "Two of a name");
    await newExclusion("carol", "two of a name");
    const form = await openForm(curfew(), "carol", "exclusion edit");
    expect(form.fields).toEqual(["What"]);
    await curfew().workspace.as("carol").cancel();
    const unknown = await ask(curfew(), "carol", "exclusion edit “No such”");
    expect(unknown.text).toContain("Curfew knows no kept machine called “No such”. Nothing was changed.");
    expect(buttonsOn(unknown.message)).toEqual(["Open the form"]);
    const { text, message } = await ask(curfew(), "carol", "exclusion edit “two of a name”");
    expect(text).toContain("could be more than one kept machine");
    expect(buttonsOn(message)).toEqual([
      expect.stringMatching(/^Two of a name \(aex-/),
      expect.stringMatching(/^two of a name \(aex-/),
    ]);
  });

  it("is refused for another's exclusion, a longer time or another type than the role allows", async () => {
    const other = await newExclusion("carol");
    const own = await newExclusion("alice");
    const sent = changesSentTo(curfew());
    const refused = await ask(curfew(), "alice", `exclusion edit ${other.id} --name Mine`);
    expect(refused.text).toContain("You can't change this one here. Nothing was changed.");
    expect((await ask(curfew(), "alice", `exclusion edit ${own.id} for 25h`)).text).toContain("for at most 1 d");
    const { text } = await ask(curfew(), "alice", `exclusion edit ${own.id} --type amazon-ebs-volume`);
    expect(text).toContain("only for EC2");
    expect((await ask(curfew(), "dave", `exclusion edit ${own.id} --name X`)).text).toContain("You can't ");
    expect(sent()).toEqual([]);
  });

  it("shows the service's error, and says when it does not know the exclusion", async () => {
    const { id } = await newExclusion("carol");
    curfew().service.account.exclusions.delete(id);
    expect((await ask(curfew(), "carol", `exclusion edit ${id} --name X`)).text).toContain("(ActionExclusionNotFound)");
    const form = await openFormWithNewId(curfew(), "carol", "exclusion edit aex-00000001");
    expect(form.text).toContain("Curfew doesn't know this one");
    expect(form.submit).toBeNull();
  });
});
