import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Selector } from "../../src/sandbox/service/account.ts";
import { ask, cardOf, changesSentTo, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig
  .replace(
    "- { id: plan-00000002, name: Nightly backups, project: p-prod }",
    [
      "- { id: plan-00000002, name: Nightly backups, project: p-prod }",
      "    - { id: plan-00000003, name: Demo lab, project: p-dev }",
      "    - { id: plan-00000008, name: demo lab }",
    ].join("\n"),
  )
  .replace(
    "    - { id: sel-00000002,",
    [
      "    - { id: sel-00000003, name: Build machines, plan: plan-00000001 }",
      "    - { id: sel-00000004, name: Production volumes, plan: plan-00000002 }",
      "    - { id: sel-00000005, name: Reports, plan: plan-00000002 }",
      "    - { id: sel-00000006, name: Demo machines, plan: plan-00000003 }",
      "    - { id: sel-00000007, name: Demo machines of last year, plan: plan-00000003 }",
      "    - { id: sel-00000002,",
    ].join("\n"),
  )
  .replace(
    "      allow: [reads, CreateActionExclusion,",
    "      allow: [reads, ModifyManagedServicesSelector, CreateActionExclusion,",
  )
  .replace("        own: true #", "        own: false #");
const { curfew } = oneBot({ config });
const selectors = () => curfew().service.account.selectors;
let former: ReadonlyMap<string, Selector> = new Map();
beforeEach(() => {
  former = new Map(selectors());
});
afterEach(() => {
  for (const [id, selector] of former) selectors().set(id, selector);
});
const staging = "plan-00000001 sel-00000001";
const azure = "plan-00000001 sel-00000003";
const lastEdit = () => lastBody(curfew(), "ModifyManagedServicesSelector");
const selectorOf = (id: string) => selectors().get(id);

describe("selector show", () => {
  it("by a line shows its conditions, its plan and the plan's time zone", async () => {
    const { text } = await ask(curfew(), "carol", "selector show “Development office hours” “Staging machines”");
    const code = selectorOf("sel-00000001")?.selectorCode ?? "no code";
    for (const shown of [
      "Staging machines",
      "amazon-ec2-instance",
      "Environment equals staging",
      `*Selector code*\n${code}`,
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain("Development office hours (plan-00000001)");
  });

  it("shows a deleted selector only on request", async () => {
    expect((await ask(curfew(), "carol", "selector show plan-00000003 sel-00000007")).text).toContain(
      "(SelectorNotFound)",
    );
    const { text } = await ask(curfew(), "carol", "selector show plan-00000003 sel-00000007 --deleted");
    expect(text).toContain("Demo machines of last year");
    expect(text).toContain("*State*\ndeleted");
  });

  it("is refused without a role, and for projects outside the role", async () => {
    expect((await ask(curfew(), "dave", `selector show ${staging}`)).text).toContain("You can't ");
    const { text } = await ask(curfew(), "alice", "selector show plan-00000002 sel-00000004");
    expect(text).toContain("You may not see selectors of this plan.");
    expect(text).not.toContain("Production volumes");
  });

  it("typed with an unknown plan says so, and asks for the selector as well", async () => {
    const { text } = await ask(curfew(), "carol", "selector show “No such” sel-1");
    expect(text).toContain("Curfew knows no plan called “No such”");
    expect(text).toContain("Curfew knows no selector called “sel-1”");
  });

  it("typed with an ambiguous plan lists the candidates, and the form of the chosen one asks for the rest", async () => {
    const { text, message } = await ask(curfew(), "carol", "selector show “demo lab” sel-1");
    expect(text).toContain("Demo lab (plan-00000003), demo lab (plan-00000008)");
    const carol = curfew().workspace.as("carol");
    await carol.press("Demo lab (plan-00000003)", message);
    const form = await curfew().workspace.waitFor(() => carol.openView());
    expect(form.values).toMatchObject({ Plan: { selected_option: { value: "plan-00000003" } } });
    expect(form.values.Selector?.selected_option ?? null).toBeNull();
  });
});

describe("selector edit", () => {
  it("by its form, filled from the service, sends the whole selector and can be undone", async () => {
    const before = selectorOf("sel-00000001");
    const form = await openForm(curfew(), "carol", `selector edit ${staging}`);
    expect(form.text).toContain("*Selector:* Staging machines (sel-00000001)");
    expect(form.fields).toEqual(["Name", "Resource type", "Credentials", "Regions", "Resource ids", "Tags", "Reason"]);
    expect(form.values).toMatchObject({
      Name: { value: "Staging machines" },
      "Resource type": { selected_option: { value: "amazon-ec2-instance" } },
      Credentials: { selected_options: [{ value: "cred-00000001" }] },
      Regions: { value: "eu-west-1" },
      Tags: { value: "Environment equals staging" },
    });
    const { text, changeId, message } = await send(curfew(), "carol", {
      Regions: "eu-west-1, us-east-1",
      Tags: "Environment equals staging\nOwner exists",
    });
    expect(text).toContain("You changed selector Staging machines");
    expect(lastEdit()).toEqual({
      name: "Staging machines",
      credentialIds: ["cred-00000001"],
      resourceType: "amazon-ec2-instance",
      regionNames: ["eu-west-1", "us-east-1"],
      resourceTagComparisons: [
        { tagName: "Environment", compareType: "equals", tagValue: "staging" },
        { tagName: "Owner", compareType: "exists" },
      ],
      selectorCode: "sc-00000001",
    });
    expect(textOf(await cardOf(curfew(), changeId))).toContain("Regions: eu-west-1 → eu-west-1, us-east-1");
    await messagesAfter(curfew(), "carol", () => curfew().workspace.as("carol").press("Undo", message));
    expect(selectorOf("sel-00000001")).toMatchObject({
      regionNames: before?.regionNames,
      resourceTagComparisons: before?.resourceTagComparisons,
      selectorCode: before?.selectorCode,
    });
  });

  it("sends nothing when its form or line changes nothing", async () => {
    const sent = changesSentTo(curfew());
    const form = await openForm(curfew(), "carol", `selector edit ${staging}`);
    expect(form.text).not.toContain("missing");
    const nothing = "It is like that already.";
    expect(JSON.stringify(await curfew().workspace.as("carol").submit())).toContain(nothing);
    await curfew().workspace.as("carol").cancel();
    const name = selectorOf("sel-00000001")?.name;
    expect((await ask(curfew(), "carol", `selector edit ${staging} --name "${name}"`)).text).toContain(nothing);
    expect(sent()).toEqual([]);
  });

  it("by a line changes the named fields and sends back the rest, also unknown parts", async () => {
    await ask(curfew(), "carol", 'selector edit plan-00000003 sel-00000006 --name "Demo machines (EU)"');
    expect(lastEdit()).toEqual({
      name: "Demo machines (EU)",
      credentialIds: ["cred-00000003"],
      resourceType: "google-vm-instance",
      resourceIdComparisons: [{ compareType: "starts-with", value: "demo-" }],
      selectorCode: "sc-00000006",
    });
  });

  it("clears the fields that are emptied in its form", async () => {
    await openForm(curfew(), "carol", "selector edit plan-00000002 sel-00000004");
    await send(curfew(), "carol", { Tags: "", Regions: "" });
    expect(lastEdit()).toMatchObject({ resourceTagComparisons: [], regionNames: [] });
  });

  it("offers group rules for Azure machines only, and keeps the typed text when the type changes", async () => {
    const form = await openForm(curfew(), "carol", `selector edit ${azure}`);
    expect(form.values["Groups (JSON)"]?.value).toContain("rg-dev-tools");
    const carol = curfew().workspace.as("carol");
    await carol.fill({ Name: "Typed name", Regions: "northeurope", "Resource type": "google-vm-instance" });
    const redrawn = await curfew().workspace.waitFor(() => {
      const view = carol.openView();
      return view?.fields.includes("Groups (JSON)") ? undefined : view;
    });
    expect(redrawn.values).toMatchObject({ Name: { value: "Typed name" }, Regions: { value: "northeurope" } });
    await send(curfew(), "carol");
    expect(lastEdit()).toEqual({
      name: "Typed name",
      credentialIds: [],
      resourceType: "google-vm-instance",
      regionNames: ["northeurope"],
      selectorCode: "sc-00000003",
    });
  });

  it("accepts group rules by a line for Azure, and for no other type", async () => {
    await ask(curfew(), "carol", `selector edit ${azure} --resource-type azure-virtual-machine --groups '[{"a": 1}]'`);
    expect(lastEdit()).toMatchObject({ groupIdComparisons: [{ a: 1 }], resourceType: "azure-virtual-machine" });
    const sent = changesSentTo(curfew());
    const { text } = await ask(curfew(), "carol", `selector edit ${staging} --groups '[{"a": 1}]'`);
    expect(text).toContain("Groups are for azure-virtual-machine only. Nothing was changed: leave them out");
    expect(sent()).toEqual([]);
  });

  it("asks for the selector first, and then shows its form", async () => {
    const first = await openForm(curfew(), "carol", "selector edit");
    expect(first.fields).toEqual(["Plan", "Selector"]);
    const carol = curfew().workspace.as("carol");
    expect(await carol.submit()).toMatchObject({ kind: "blocked" });
    await carol.fill({ Plan: "plan-00000001", Selector: "sel-00000002" });
    const form = await curfew().workspace.waitFor(() => {
      const view = carol.openView();
      return view?.fields.includes("Tags") ? view : undefined;
    });
    expect(form.fields).not.toContain("Selector");
    expect(form.values.Tags).toMatchObject({ value: "Environment equals staging\nKeep does-not-exist" });
    expect((await send(curfew(), "carol", { Name: "Databases" })).text).toContain("You changed selector");
  });

  it("opens no form that would cut off values, and a line still edits the selector", async () => {
    const selector = selectorOf("sel-00000005");
    if (!selector) throw new Error("The account has no such selector.");
    const many = Array.from({ length: 150 }, (_none, index) => `example-analytics:europe-west1:reports-${index}`);
    selectors().set(selector.selectorId, { ...selector, resourceIds: many });
    const { text } = await openForm(curfew(), "carol", "selector edit plan-00000002 sel-00000005");
    expect(text).toContain("*Resource ids* is too long for a form");
    await curfew().workspace.as("carol").cancel();
    await ask(curfew(), "carol", "selector edit plan-00000002 sel-00000005 --name Reports");
    expect(lastEdit()).toMatchObject({ name: "Reports", resourceIds: many });
  });

  it("is refused without a role, and for projects or types outside the role", async () => {
    const sent = changesSentTo(curfew());
    expect((await ask(curfew(), "dave", `selector edit ${staging} --name X`)).text).toContain("You can't ");
    const other = await ask(curfew(), "alice", "selector edit plan-00000002 sel-00000004 --name X");
    expect(other.text).toContain("You may not change selectors of this plan here.");
    expect(other.text).not.toContain("Production volumes");
    const { text } = await ask(curfew(), "alice", `selector edit ${staging} --resource-type amazon-ebs-volume`);
    expect(text).toContain("only for EC2. This is EBS");
    expect(sent()).toEqual([]);
  });
});
