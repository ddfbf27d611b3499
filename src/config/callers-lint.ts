import { adminRoles } from "../permissions/roles-held.ts";
import type { Caller } from "./callers-section.ts";
import { type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";

export function lintCallers({ callers, policy, ...settings }: Settings): readonly LintFinding[] {
  const known = new Set([
    ...[...settings.announce, ...policy.approvals, settings.admins ?? {}].flatMap((each) =>
      "channel" in each ? [each.channel] : [],
    ),
    ...Object.keys(settings.channels),
    ...policy.roles.flatMap(({ where }) => [...(where.channels ?? [])]),
  ]);
  return callers.flatMap((caller, index) => {
    const path = ["callers", index];
    return [
      ...(known.has(caller.channel)
        ? []
        : [warning([...path, "channel"], `nothing else in this file names the channel ${caller.channel}`)]),
      ...lintRole(caller, { policy }, [...path, "role"]),
    ];
  });
}

function lintRole({ role: name, channel }: Caller, { policy }: Pick<Settings, "policy">, path: readonly PropertyKey[]) {
  if (adminRoles(policy).some((each) => each.name === name))
    return [warning(path, "its role allows everything: who has its token could do all that admins can")];
  const role = policy.roles.find((each) => each.name === name);
  const channels = role?.where.channels;
  return channels && !channels.has(channel)
    ? [warning(path, `the role “${name}” allows nothing in ${channel}, where this caller asks`)]
    : [];
}
