import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { readParts } from "../../src/slack/fields/read-fields.ts";
import { usageOf } from "../../src/slack/messages/usage.ts";
import { aReadingContext } from "./build.ts";

test("help shows the usage of each command", () => {
  const usages = catalogue.map((command) => usageOf("/curfew", command).usage);
  expect(usages.join("\n")).toMatchInlineSnapshot(`
    "/curfew keep <id or group>… up [--type <amazon-ec2-instance|…>] [--project <project>] [from …] [for …|until …] [--reason <why>] [--process stop|start|both] [--name <name>] [--ask] [--another]
    /curfew keep <id or group>… up [--type <amazon-ec2-instance|…>] [--project <project>] every … [--reason <why>] [--process stop|start|both] [--name <name>] [--ask]
    /curfew skip <group or action…> [on …] [--reason <reason>]
    /curfew leave out <what is planned…> [on …]
    /curfew move time <what is planned…> [on …]
    /curfew list [<filter…>] [<day or time>] [--page <page>]
    /curfew extend <what> for …|until … [--shorter] [--ask] [--reason <reason>]
    /curfew edit <what> [--name <name>] [for …|until …] [every …] [--process stop|start|both] [--enabled yes|no] [--type <amazon-ec2-instance|…>] [--method by-resource-id|by-resource-tag|all] [--resource-ids <id or group>…] [--reason <reason>]
    /curfew end <what> [--reason <reason>]
    /curfew find <what…>
    /curfew status [<thing…>]
    /curfew why <thing…> [<day or time>]
    /curfew next [stops|starts|backups] [<thing…>] [<day or time>] [--page <page>]
    /curfew running [<thing…>] [<day or time>]
    /curfew mine
    /curfew budget [<filter…>]
    /curfew holidays [<day off…>] [<day or time>]
    /curfew warn me <group> [--before <8h>]
    /curfew stop warning me <group>
    /curfew warnings
    /curfew user <user>
    /curfew users [<words…>] [--page <page>]
    /curfew enable <user> [--reason <reason>]
    /curfew disable <user> [--reason <reason>]
    /curfew user email <user> <address> [--reason <reason>]
    /curfew reset mfa <user> google-auth|mobile-otp [--reason <reason>]
    /curfew unlock <user> google-auth|mobile-otp [--reason <reason>]
    /curfew user detach-policy <user> <policy> [--reason <reason>]
    /curfew offboard <user> [--policy <one of their policies>] [--reason <reason>]
    /curfew project rename <project> <new name…> [--reason <reason>]
    /curfew projects [<words…>] [--page <page>]
    /curfew policies [<words…>] [--page <page>]
    /curfew policy show <policy>
    /curfew actions [<words…>] [--page <page>]
    /curfew action show <action> [--include <displayData,…>]
    /curfew plan create <name> [--type backup-plan|start-stop-plan] [--project <project>] [--days <Mon-Fri|…>] [--start <HH:MM>] [--stop <HH:MM>] [--stop-after <8h>] [--zone <zone>] [--parameters '{…}'] [--enabled yes|no] [--reason <reason>]
    /curfew selector show <plan> <selector> [--deleted]
    /curfew selector edit <plan> <selector> [--name <name>] [--resource-type <amazon-ec2-instance|…>] [--credentials <credentials,…>] [--regions <regions,…>] [--resource-ids <id or group>…] [--tags <name>=<value>,…] [--groups '[{…},…]'] [--reason <reason>]
    /curfew credential edit <credential> [--name <name>] [--sub-type amazon-standard|amazon-govcloud-us|amazon-china|google-standard] [--type amazon-access-key|amazon-iam-role|google-service-account-key] [--role-arn <role arn>] [--external-id <external id>] [--key-file <new key>] [--reason <reason>]
    /curfew credential delete <credential> [--name <type its name>] [--reason <reason>]
    /curfew plans [<words…>] [--page <page>]
    /curfew selectors [<words…>] [--page <page>]
    /curfew credentials [<words…>] [--page <page>]
    /curfew groups [<words…>] [--page <page>]
    /curfew group show <group>
    /curfew group save <group> <id or group>… [--type <amazon-ec2-instance|…>] [--project <project>] [--actions <actions,…>]
    /curfew group add <group> <id or group>…
    /curfew group remove <group> <id or group>…
    /curfew group delete <group>
    /curfew history [<filter…>] [--page <page>]
    /curfew undo [<change>] [--was <state before>]
    /curfew approvals [for-me|mine]
    /curfew approve [<request…>] [--note <note>]
    /curfew deny [<request>] <reason…>
    /curfew withdraw [<request…>]
    /curfew recheck <change id>
    /curfew outcome <change id> done|not-done
    /curfew retry <change id>
    /curfew can <@person> <CreateManagedServicesPlan|…>
    /curfew who may <what…> [--length <8h>]
    /curfew rights [<person…>]
    /curfew whoami
    /curfew help [<about…>]"
  `);
});

test("help shows an example for each command", () => {
  const examples = catalogue.map((command) => usageOf("/curfew", command).example);
  expect(examples.join("\n")).toMatchInlineSnapshot(`
    "/curfew keep i-0a1 i-0a2 up for 2h
    /curfew keep i-0a1 i-0a2 up every thu 18:00-22:00 until 2026-12-31
    /curfew skip staging
    /curfew leave out staging
    /curfew move time staging
    /curfew list
    /curfew extend demo for 2h
    /curfew edit demo --name "Demo at eight"
    /curfew end demo
    /curfew find staging
    /curfew status
    /curfew why staging
    /curfew next
    /curfew running
    /curfew mine
    /curfew budget
    /curfew holidays
    /curfew warn me staging
    /curfew stop warning me staging
    /curfew warnings
    /curfew user bob
    /curfew users
    /curfew enable bob
    /curfew disable bob
    /curfew user email bob bob@example.com
    /curfew reset mfa bob google-auth
    /curfew unlock bob google-auth
    /curfew user detach-policy bob mp-00000001
    /curfew offboard bob
    /curfew project rename p-dev Development
    /curfew projects
    /curfew policies
    /curfew policy show mp-00000001
    /curfew actions
    /curfew action show a-00000001
    /curfew plan create "Office hours" --project p-dev --days Mon-Fri --start 19:00 --stop 18:30 --zone Europe/London
    /curfew selector show plan-00000001 sel-00000001
    /curfew selector edit plan-00000001 sel-00000001 --name "Staging machines"
    /curfew credential edit cred-00000001 --sub-type amazon-standard
    /curfew credential delete cred-00000001 --name "AWS main account"
    /curfew plans
    /curfew selectors
    /curfew credentials
    /curfew groups
    /curfew group show staging
    /curfew group save staging i-0a1 i-0a2
    /curfew group add staging i-0a1 i-0a2
    /curfew group remove staging i-0a1 i-0a2
    /curfew group delete staging
    /curfew history
    /curfew undo
    /curfew approvals
    /curfew approve
    /curfew deny not before the release
    /curfew withdraw
    /curfew recheck chg-1a2b3c4d5
    /curfew outcome chg-1a2b3c4d5 done
    /curfew retry chg-1a2b3c4d5
    /curfew can @bob CreateManagedServicesPlan
    /curfew who may keep staging
    /curfew rights
    /curfew whoami
    /curfew help"
  `);
});

test.each(catalogue.map((command) => [usageOf("/curfew", command).example, command] as const))(
  "the example “%s” is a valid line of its command",
  async (example, command) => {
    const line = example.replace("/curfew ", "").replace("@bob", "<@U02BOB|bob>");
    const split = splitLine(line, catalogue, () => undefined);
    if (split.kind === "unclear") throw new Error(split.problem);
    expect([split.command.words, split.problems]).toEqual([command.words, []]);
    const { problems, missing } = await readParts(command, split.parts, aReadingContext());
    const isEdit = command.kind === "change" && command.fill !== undefined;
    expect(problems).toEqual({});
    expect(missing.filter((name) => !isEdit && !command.fields[name]?.derivedFrom)).toEqual([]);
  },
);

test("help uses the installed slash command", () => {
  const [command] = catalogue;
  expect(command && usageOf("/night", command).usage).toMatch(/^\/night /);
});
