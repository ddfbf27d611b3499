import { describe, expect, it } from "vitest";
import { runWithArgs } from "../cli/run-with-args.ts";
import { ask, fillIn, messagesAfter, openForm, send } from "../support/journey.ts";
import { urlOf } from "../support/new-database.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig
  .replace(
    "resourceGroups:\n",
    `resourceGroups:
  web: { type: amazon-ec2-instance, project: p-dev, match: "stg-web-*" }
  mixed: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c1], match: "*-mixed-*" }
  payments: { type: amazon-ec2-instance, project: p-dev, imported: true }
  empty: { type: amazon-ec2-instance, project: p-dev, match: "nothing-*" }
`,
  )
  .replace(
    "    admin:\n",
    `    payer:
      members: [U04DAVE]
      allow: [CreateActionExclusion]
      where: { groups: [payments, mixed, web], maxExclusion: 24h }
    admin:
`,
  );
const { curfew, person } = oneBot({ config, overrides: { heartbeatEveryMs: 20 } });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const excluded = () => lastBody(curfew(), "CreateActionExclusion");

const ec2 = "amazon-ec2-instance";
/** Imports these machines, and waits until the running Curfew knows the last one by its name. */
async function imported(lines: readonly string[], ...args: readonly string[]): Promise<string> {
  const { output, errors } = await runWithArgs(["directory", "import", "machines.csv", ...args], {
    env: { DATABASE_URL: urlOf(curfew().database) },
    files: { "machines.csv": ["id,name,type,project,group", ...lines].join("\n") },
  });
  expect(errors).toBe("");
  const [id = "", name] = lines.at(-1)?.split(",") ?? [];
  await expect.poll(() => told("carol", `status ${name}`), { timeout: 8000 }).toContain(`*${id}: `);
  return output;
}

describe("an imported machine", () => {
  it("is known by its name in lines, look-ups and forms, without a restart", async () => {
    expect(await told("alice", "exclude stg-api-1 for 2h")).toContain("I don't know “stg-api-1”");
    await imported([`i-0d1,stg-api-1,${ec2},p-dev,`, `i-0d2,stg-api-2,${ec2},p-dev,`]);
    expect(await told("alice", "exclude STG-api-1 for 2h")).toContain("Keeping i-0d1 running until");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0d1"], resourceType: ec2, projectId: "p-dev" });
    expect(await told("alice", "keep stg-api-2 up for 2h")).toContain("Keeping i-0d2 running until");
    expect(await told("alice", "why stg-api-1")).toContain("kept running by you until");
    expect(await told("alice", "extend stg-api-1 1h")).toContain("i-0d1: now until");
    expect(await told("alice", "end stg-api-1")).toContain("You stopped keeping i-0d1 running");
    await openForm(curfew(), "alice", "exclude");
    const [option] = await person("alice").suggest("Or choose", "api-2");
    expect(option).toMatchObject({ text: "stg-api-2 — machine", value: "machine:i-0d2" });
    await fillIn(curfew(), "alice", { What: "stg-api-1", Effect: "Leave alone" });
    await send(curfew(), "alice");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0d1"], projectId: "p-dev" });
  });

  it("is hidden from people who may not see its project, and in the place that the import says", async () => {
    await imported([`i-0d3,prod-db-1,${ec2},p-prod,`]);
    expect(await told("alice", "exclude prod-db-1 for 1h")).toContain("I don't know “prod-db-1”");
    expect(await told("alice", "status prod-db-1")).toContain("knows no “prod-db-1” that you may see");
    expect(await told("carol", "exclude prod-db-1 for 1h")).toContain("Project Production: as imported.");
    expect(await told("carol", "exclude i-0d3 for 2h --project p-dev")).toMatch(
      /i-0d3 is in project p-prod, as the imported list of machines says.*Nothing was changed/s,
    );
  });

  it("gives way to an id, and is asked about where several have its name", async () => {
    await told("carol", "exclude ledger --type amazon-rds-instance --project p-dev for 1h");
    await imported([
      `i-0d4,ledger,${ec2},p-dev,`,
      `i-0d5,twin,${ec2},p-dev,`,
      `i-0d6,twin,${ec2},p-prod,`,
      "orders,x-last,amazon-rds-instance,p-dev,",
    ]);
    await told("carol", "exclude ledger for 2h");
    expect(excluded()).toMatchObject({ resourceIds: ["ledger"], resourceType: "amazon-rds-instance" });
    expect(await told("carol", "exclude twin for 1h")).toContain(
      "“twin” is the name of i-0d5 in p-dev, i-0d6 in p-prod",
    );
    await told("carol", "exclude twin for 1h --project p-prod");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0d6"], projectId: "p-prod" });
    await told("alice", "exclude twin for 1h");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0d5"], projectId: "p-dev" });
  });
});

describe("a group by rule", () => {
  it("holds the machines of its project and type whose names fit, and follows the next import", async () => {
    expect(await told("alice", "exclude empty for 1h")).toContain("I don't know “empty”");
    const lines = [
      `i-0e1,stg-web-1,${ec2},p-dev,`,
      `i-0e2,STG-WEB-2,${ec2},p-dev,`,
      `i-0e3,stg-web-3,${ec2},p-prod,`,
      "vol-0e4,stg-web-4,amazon-ebs-volume,p-dev,",
      `i-0e5,my-stg-web-5,${ec2},p-dev,`,
    ];
    // Whatever other tests imported.
    await imported(lines, "--complete", "--yes");
    expect(await told("alice", "group show web")).toContain("Resources: i-0e1, i-0e2 ");
    await told("alice", "keep web up for 2h");
    expect(excluded()).toMatchObject({ name: "alice: web", resourceIds: ["i-0e1", "i-0e2"] });
    const output = await imported([lines[0] ?? "", `i-0e5,stg-web-5,${ec2},p-dev,`], "--complete", "--yes");
    expect(output).toContain(
      "changed:\n  machine i-0e5 stg-web-5\nforgotten, since the file lists all machines of its projects:\n",
    );
    expect(output).toContain("  machine i-0e2\n");
    expect(output).not.toContain("i-0e3");
    expect(await told("alice", "group show web")).toContain("Resources: i-0e1, i-0e5 ");
    expect(await told("alice", "group save web i-0a1")).toContain("The group web comes from the config file.");
  });

  it("of a name gives nobody a right, which an imported group does", async () => {
    await imported([
      `i-0f1,a-mixed-1,${ec2},p-dev,payments`,
      `i-0f2,stg-web-8,${ec2},p-dev,other`,
      `i-0f3,b-mixed-2,${ec2},p-dev,`,
    ]);
    expect(await told("dave", "exclude payments for 1h")).toContain("Keeping payments running until");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0f1"] });
    expect(await told("dave", "exclude i-0c1 for 1h --project p-dev")).toContain("Keeping i-0c1 running until");
    for (const what of ["i-0f3", "i-0f2"])
      expect(await told("dave", `exclude ${what} for 1h --project p-dev`)).toContain(
        "only for the groups web or mixed or payments",
      );
    await imported([`i-0f1,a-mixed-1,${ec2},p-dev,`, `i-0f9,c-mixed-3,${ec2},p-dev,payments`]);
    expect(await told("dave", "exclude i-0f1 for 2h --project p-dev")).toContain(":no_entry:");
    expect(await told("alice", "exclude payments for 3h")).toContain("Keeping payments running until");
    expect(excluded()).toMatchObject({ resourceIds: ["i-0f9"] });
  });

  it("which only an import names is used by its name, and kept by those who run Curfew", async () => {
    await imported([`i-0c7,batch-1,${ec2},p-dev,nightly`]);
    expect(await told("alice", "exclude nightly for 1h")).toContain("Keeping nightly running until");
    expect(await told("alice", "group add nightly i-0a1")).toContain("The group nightly comes from an import.");
  });

  it("with more machines than are kept together is refused in words", async () => {
    await imported(Array.from({ length: 5001 }, (_, at) => `i-0b${at}0,big-${at},${ec2},p-dev,big`));
    const text = await told("alice", "exclude big for 1h");
    expect(text).toContain("The group big has 5001 machines, and at most 5000 are allowed here.");
  });
});

describe("adding to a saved group", () => {
  it("asks where a machine is that is not known to be in the group's project", async () => {
    await imported([`i-0c8,adds-1,${ec2},p-dev,`]);
    await told("alice", "group save smoke i-0a1");
    expect(await told("alice", "add adds-1 to smoke")).toContain("i-0a1 → i-0a1, i-0c8");
    const asked = await ask(curfew(), "alice", "add i-0c9 to smoke");
    expect(asked.text).toContain("Curfew does not know the project of i-0c9. The group smoke is of Development.");
    expect(await told("alice", "group show smoke")).not.toContain("i-0c9");
    const added = await messagesAfter(curfew(), "alice", () =>
      person("alice").press("Add, it is in Development", asked.message),
    );
    expect(added.text).toContain("i-0a1, i-0c8 → i-0a1, i-0c8, i-0c9");
    await imported([`i-0ca,elsewhere-1,${ec2},p-prod,`]);
    expect(await told("alice", "add i-0ca to smoke --project p-dev")).toContain("i-0ca is in project p-prod");
    expect(await told("alice", "exclude smoke i-0cb for 1h")).not.toContain("its group's");
  });
});
