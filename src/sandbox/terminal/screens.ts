import type { SeenMessage } from "../messages-seen.ts";
import { channelsOf, exclusionsInForce, membershipOf, type Sandbox } from "../sandbox.ts";
import { stripControls } from "../workspace/render/strip-controls.ts";

export const helpText = `  /curfew help · @Curfew help       send a line to the bot, as in Slack
  as <person> · in <channel>        act as somebody else, go to another channel (dm: direct messages)
  fill <label> = <value>            in an open form; separate several values with commas, write times as "fri 18:00" or "2h"
  suggest <label> <text>            the suggestions of a search field
  submit · cancel                   send or close the open form
  press <button> [n]                a button or menu entry, on the newest message that has it (or the nth); answer yes or no if asked
  messages · people · channels      the messages here, all people, the channels you can go to
  service                           the exclusions in force in the embedded service
  wait <length>                     move the clock forward, for example: wait 2h
  (Enter)                           show what is new
  quit`;

/** Each message has a header line: channel, author, and who sees it. */
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
  return stripControls(["Exclusions in force in the service:", ...(lines.length ? lines : ["  none"])].join("\n"));
}
