import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { usageOf } from "../../src/slack/usage.ts";

test("help says how each command is typed", () => {
  const usages = catalogue.map((command) => usageOf("/curfew", command).usage);
  expect(usages.join("\n")).toMatchInlineSnapshot(`
    "/curfew exclude <id or group>… [--type <amazon-ec2-instance|…>] [--project <project>] [--process stop|start|both] [for …|until …] [--name <name>] [--reason <reason>]
    /curfew exclusions [all|mine|others]
    /curfew exclusion extend <exclusion> for …|until … [--reason <reason>]
    /curfew exclusion edit <exclusion> [--name <name>] [for …|until …] [--process stop|start|both] [--enabled yes|no] [--type <amazon-ec2-instance|…>] [--method by-resource-id|by-resource-tag|all] [--resource-ids <id or group>…] [--reason <reason>]
    /curfew exclusion end <exclusion> [--reason <reason>]
    /curfew user enable <user> [--reason <reason>]
    /curfew user disable <user> [--reason <reason>]
    /curfew user email <user> <address> [--reason <reason>]
    /curfew user remove-mfa <user> google-auth|mobile-otp [--reason <reason>]
    /curfew user detach-policy <user> <policy> [--reason <reason>]
    /curfew project rename <project> <new name…> [--reason <reason>]
    /curfew actions [<words…>] [--page <page>]
    /curfew action show <action> [--include <displayData,…>]
    /curfew plan create <name> [--type backup-plan|start-stop-plan] [--project <project>] [--days <monday,…>] [--time <HH:MM>] [--zone <zone>] [--stop-time <stop time in seconds>] [--parameters '{…}'] [--enabled yes|no] [--reason <reason>]
    /curfew selector show <plan> <selector> [--deleted]
    /curfew selector edit <plan> <selector> [--name <name>] [--resource-type <amazon-ec2-instance|…>] [--credentials <credentials,…>] [--regions <regions,…>] [--resource-ids <id or group>…] [--tags "name equals value"] [--groups '[{…},…]'] [--reason <reason>]
    /curfew credential edit <credential> [--name <name>] [--sub-type amazon-standard|amazon-govcloud-us|amazon-china|google-standard] [--type amazon-access-key|amazon-iam-role|google-service-account-key] [--role-arn <role arn>] [--external-id <external id>] [--key-file <new key>] [--reason <reason>]
    /curfew credential delete <credential> [--name <type its name>] [--reason <reason>]
    /curfew policy show <policy>
    /curfew groups
    /curfew group show <group>
    /curfew group save <group> <id or group>… [--type <amazon-ec2-instance|…>] [--project <project>]
    /curfew group delete <group>
    /curfew history [<which>]
    /curfew undo <change id>
    /curfew approvals [for-me|mine]
    /curfew approve <change id> [--note <note>]
    /curfew deny <change id> <reason…>
    /curfew withdraw <change id>
    /curfew can <@person> <CreateManagedServicesPlan|…>
    /curfew whoami
    /curfew help [<about…>]"
  `);
});

test("help uses the slash command that is installed", () => {
  const [command] = catalogue;
  expect(command && usageOf("/night", command).usage).toMatch(/^\/night /);
});
