import { afterEach, describe, expect, it } from "vitest";
import { someSettings } from "../changes/build.ts";
import { ask, changesSentTo, end, fillIn, openForm, openFormFromReply, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig
  .replace(
    "resourceGroups:\n",
    "resourceGroups:\n  vault: { type: amazon-ec2-instance, project: p-prod, ids: [i-0b1, i-0b2] }\n",
  )
  .replace("resourceTypes: [amazon-ec2-instance]", "resourceTypes: [amazon-ec2-instance, amazon-rds-instance]");
const { curfew, person } = oneBot({ config });
const replyTo = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const lastCreate = () => lastBody(curfew(), "CreateActionExclusion");

afterEach(async () => {
  await curfew().app.reload(someSettings(config));
  for (const name of ["orders", "build", "late", "newcomer", "self"])
    await ask(curfew(), "carol", `group delete ${name}`);
});

describe("a saved group with a resource's name", () => {
  it("does not replace a resource whose given type or project differs", async () => {
    await ask(curfew(), "carol", "group save orders i-0c1 --project p-dev");
    await ask(curfew(), "alice", "exclude orders --type amazon-rds-instance --project p-dev for 1h");
    expect(lastCreate()).toMatchObject({ resourceIds: ["orders"], resourceType: "amazon-rds-instance" });
    await ask(curfew(), "carol", "group save late late-db --type amazon-rds-instance --project p-dev");
    // An EC2 instance cannot have that name.
    expect(await replyTo("carol", "exclude late --type amazon-ec2-instance --project p-prod")).toContain(
      "The group “late” has the type amazon-rds-instance and the project p-dev",
    );
    await ask(curfew(), "carol", "exclude late --type amazon-rds-instance --project p-prod for 1h");
    expect(lastCreate()).toMatchObject({ resourceIds: ["late"], projectId: "p-prod" });
  });

  it("is refused when the line would fit the resource as well", async () => {
    await ask(curfew(), "carol", "group save build i-0c1 --project p-dev");
    const sent = changesSentTo(curfew());
    const text = await replyTo("alice", "exclude build --type amazon-ec2-instance --project p-dev for 1h");
    expect(text).toContain("“build” could be a resource, or the saved group of the same name.");
    expect(text).toContain("i-0c1");
    expect(sent()).toEqual([]);
  });

  it("cannot be saved when an exclusion once named that resource", async () => {
    const { exclusionId } = await ask(
      curfew(),
      "carol",
      "exclude ledger --type amazon-rds-instance --project p-dev for 1h",
    );
    await end(curfew(), "carol", exclusionId);
    expect(await replyTo("carol", "group save ledger i-0c1 --project p-dev")).toContain(
      "no machine's id. Nothing was saved",
    );
  });
});

describe("a group that changes while a form is open", () => {
  /** The form after a choice updates it, with the resources that it shows for the group. */
  const previewed = async (who: string, ids: string) => {
    await openForm(curfew(), who, "exclude");
    await fillIn(curfew(), who, { What: ids, Effect: "Leave alone" });
    await curfew().workspace.waitFor(() => person(who).openView()?.text.includes("Due in Development") || undefined, {
      what: "the preview",
    });
  };

  it.each([
    ["replaced", "group save build i-0c2 --project p-dev", /The group changed: “build” now means i-0c2/],
    ["deleted", "group delete build", /The group changed: “build” is no longer a group/],
  ])("blocks the form when it is %s", async (_how, line, problem) => {
    await ask(curfew(), "carol", "group save build i-0c1 --project p-dev");
    await previewed("alice", "build");
    await ask(curfew(), "carol", line);
    const sent = changesSentTo(curfew());
    expect(await person("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { What: expect.stringMatching(problem) },
    });
    expect(sent()).toEqual([]);
  });

  it("does not replace a resource of the same name that the form showed", async () => {
    await openForm(curfew(), "alice", "exclude newcomer --type amazon-rds-instance --project p-dev --process sideways");
    await ask(curfew(), "carol", "group save newcomer i-0c9 --project p-dev");
    const sent = changesSentTo(curfew());
    expect(await person("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { What: expect.stringContaining("The group changed: “newcomer” now means i-0c9") },
    });
    expect(sent()).toEqual([]);
  });

  it("is sent as shown when its content is the same", async () => {
    await ask(curfew(), "carol", "group save build i-0c1 --project p-dev");
    await previewed("alice", "build");
    await send(curfew(), "alice");
    expect(lastCreate()).toMatchObject({ resourceIds: ["i-0c1"], processes: ["start-resource", "stop-resource"] });
  });
});

describe("a group without permission for its resources", () => {
  it("cannot contain ids that the config or an exclusion places elsewhere", async () => {
    await ask(curfew(), "carol", "exclude i-0e1 --project p-prod for 1h");
    for (const ids of ["i-0b1", "i-0c1 I-0B2", "i-0e1"])
      expect(await replyTo("alice", `group save self ${ids} --project p-dev`)).toMatch(/p-prod.*Nothing was changed/s);
    expect(await replyTo("carol", "group show self")).toContain("There is no group self");
  });

  it("is useless when its resources have moved elsewhere", async () => {
    await ask(curfew(), "alice", "group save self i-0e5 --project p-dev");
    await curfew().app.reload(someSettings(config.replace("ids: [i-0b1, i-0b2]", "ids: [i-0b1, i-0b2, i-0e5]")));
    const sent = changesSentTo(curfew());
    expect(await replyTo("alice", "exclude self for 1h")).toMatch(
      /i-0e5 is in project p-prod.*p-dev.*Nothing was changed/s,
    );
    expect(sent()).toEqual([]);
  });

  it("is hidden in forms and replies from people who may not read it", async () => {
    for (const line of ["exclude vault", "group save self vault", "group save self vault --project p-dev"]) {
      const form = await openFormFromReply(curfew(), "alice", line);
      expect(JSON.stringify(form)).not.toContain("i-0b1");
      await person("alice").cancel();
    }
    const shown = await openForm(curfew(), "carol", "exclude vault --process sideways");
    expect(JSON.stringify(shown)).toContain("i-0b1, i-0b2");
    await person("carol").cancel();
    const given = "--project p-dev --type amazon-ec2-instance";
    const refused = await openFormFromReply(curfew(), "alice", `exclude vault i-0b1 for 1h ${given}`);
    expect(refused.reply.text).toContain("“vault” is not an EC2 instance id");
    expect(JSON.stringify(refused)).not.toContain("i-0b2");
  });

  it("of the config cannot be taken over by people who do not see it", async () => {
    expect(await replyTo("alice", "group save vault i-0c1 --project p-dev")).toContain("comes from the config file");
    expect(await replyTo("alice", "group delete vault")).toContain("comes from the config file");
  });
});
