import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { usageOf } from "../../src/slack/usage.ts";

test("help says how each command is typed", () => {
  const usages = catalogue.map((command) => usageOf("/curfew", command).usage);
  expect(usages.join("\n")).toMatchInlineSnapshot(`
    "/curfew exclude <id or group>… [--type <amazon-ec2-instance|…>] [--project <project>] [--process stop|start|both] [for …|until …] [--name <name>] [--reason <reason>]
    /curfew exclusions [all|mine|others]
    /curfew exclusion extend <exclusion> for …|until … [--reason <reason>]
    /curfew exclusion end <exclusion> [--reason <reason>]
    /curfew user enable <user> [--reason <reason>]
    /curfew user disable <user> [--reason <reason>]
    /curfew user remove-mfa <user> google-auth|mobile-otp [--reason <reason>]
    /curfew project rename <project> <new name…> [--reason <reason>]
    /curfew actions [<words…>] [--page <page>]
    /curfew action show <action> [--include <displayData,…>]
    /curfew groups
    /curfew group show <group>
    /curfew group save <group> <id or group>… [--type <amazon-ec2-instance|…>] [--project <project>]
    /curfew group delete <group>
    /curfew history [<which>]
    /curfew undo <change id>
    /curfew whoami
    /curfew help [<about>]"
  `);
});

test("help uses the slash command that is installed", () => {
  const [command] = catalogue;
  expect(command && usageOf("/night", command).usage).toMatch(/^\/night /);
});
