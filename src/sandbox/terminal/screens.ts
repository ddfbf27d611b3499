import { exclusionsInForce } from "../exclusions-in-force.ts";
import type { SeenMessage } from "../messages-seen.ts";
import { channelsOf, type Sandbox } from "../sandbox.ts";
import { membershipOf } from "../standing.ts";
import { stripControls } from "../workspace/render/strip-controls.ts";

export const helpText = `  /curfew help                      a line for the bot, as in Slack
  as <person> · in <channel>        become somebody else, go elsewhere (dm: direct messages)
  fill <label> = <value>            in an open form; several values apart by commas, times as "fri 18:00" or "2h"
  suggest <label> <text>            what a searching field offers
  submit · cancel                   the open form
  press <button> [n]                on the newest message that has it (or the nth such button); then yes or no if asked
  messages · people · channels      what is here, who there is, where you can go
  service                           the exclusions in force, as the embedded service sees them
  wait <length>                     moves the clock forward, as in: wait 2h
  (Enter)                           what is new
  quit`;

/** Each under a line that says where it stands, who wrote it and who sees it. */
export function messagesText(messages: readonly SeenMessage[]): string {
  return messages.map(messageText).join("\n");
}

export const placeName = (place: string): string => (place === "dm" ? "your direct messages" : `#${place}`);

function messageText({ place, from, text, isOnlyForYou, isReply, isEdited }: SeenMessage): string {
  const remarks = [
    place === "dm" ? "direct message" : `#${place}`,
    from,
    ...(isOnlyForYou ? ["only you see this"] : []),
    ...(isReply ? ["in the thread"] : []),
    ...(isEdited ? ["edited"] : []),
  ];
  const body = text.split("\n").map((line) => `  ${line}`.trimEnd());
  return [`── ${remarks.join(" · ")}`, ...body].join("\n");
}

export function peopleText(sandbox: Sandbox): string {
  const { seed } = sandbox;
  return seed.people
    .map((person) => {
      const groups = seed.userGroups.filter(({ members }) => members.includes(person.handle));
      const remarks = [...membershipOf(person, seed.team.id), ...groups.map(({ handle }) => `@${handle}`)];
      return `  ${person.handle.padEnd(8)} ${person.id.padEnd(10)} ${person.realName.padEnd(16)} ${remarks.join(", ")}`.trimEnd();
    })
    .join("\n");
}

export function channelsText(sandbox: Sandbox, handle: string): string {
  const mine = channelsOf(sandbox, handle);
  const channels = sandbox.seed.channels.filter(({ name }) => mine.includes(name));
  const lines = channels.map(({ id, name, hasBot }) => {
    return `  ${name.padEnd(10)} ${id.padEnd(10)} ${hasBot ? "" : "without the bot"}`.trimEnd();
  });
  return [...lines, "  dm         your direct messages with the bot"].join("\n");
}

export function serviceText(sandbox: Sandbox): string {
  const lines = exclusionsInForce(sandbox).map(
    ({ actionExclusionId, name, processes, resourceIds, expiryDate }) =>
      `  ${actionExclusionId}  ${name}: ${resourceIds.join(", ")} kept from ${processes.join(", ")} until ${expiryDate}`,
  );
  return stripControls(
    ["Exclusions in force, as the service sees them:", ...(lines.length ? lines : ["  none"])].join("\n"),
  );
}
