import type { ReadService } from "../directory/read-service.ts";
import { createOutbox } from "../outbox/outbox.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import { createDrawBulletin } from "../slack/messages/bulletins.ts";
import { createCardLink, createLinkTo, createThreadLink } from "../slack/messages/cards/card-context.ts";
import { createExclusionReminders } from "../slack/messages/cards/exclusion-reminders.ts";
import { createSender } from "../slack/messages/post-outbox-message.ts";
import type { Actors } from "../slack/people/actors.ts";
import type { ChannelMembers } from "../slack/people/channel-members.ts";
import type { IsClosed } from "../slack/people/closed-channels.ts";
import { within } from "../time/within.ts";
import type { Core, Opened } from "./core.ts";

/** How often to look for messages that other instances queued, or left unfinished when they died. */
const pollMs = 3000;

interface OutboxParts {
  readonly actors: Actors;
  readonly channelMembers: ChannelMembers;
  readonly isClosed: IsClosed;
  readonly read: ReadService;
}

/** Sends the queued messages. */
export function buildOutbox(
  { settings, log, now, elapsedMs, overrides }: Core,
  opened: Opened,
  { actors, channelMembers, isClosed, read }: OutboxParts,
) {
  const { store, connection, tracing } = opened;
  const { client } = connection;
  const people = { actor: actors.actor, withEmail: (email: string) => actors.withEmail(email, "read") };
  const linkTo = createLinkTo({ client, log });
  const threadLink = createThreadLink(linkTo);
  const cardSources = { store, settings, threadLink, actions: () => listedActions(read), ...people };
  const drawReminder = createExclusionReminders({ store, actor: actors.actor, settings, now, cardSources });
  const drawBulletin = createDrawBulletin({
    ...{ store, settings, channelMembers, actor: actors.actor },
    zoneOf: (channelId) => settings().channels[channelId]?.zone ?? "UTC",
  });
  const { withEmail } = actors;
  const cardLink = createCardLink(store, linkTo);
  const sender = createSender({
    ...{ client, store, drawReminder, drawBulletin, withEmail, cardSources, cardLink, isClosed, now },
  });
  return createOutbox({
    pollMs: store.isShared ? pollMs : undefined,
    ...overrides.outbox,
    store,
    sender: tracing?.sender(sender) ?? sender,
    now,
    elapsedMs,
    log,
    linkTo,
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => settings().admins?.channel,
  });
}

const cardReadMs = 1500;

/** The service's actions; undefined if it does not list them soon. */
export async function listedActions(read: ReadService): Promise<readonly Action[] | undefined> {
  // A card does not wait for a slow service: it can do without the next stop.
  const listed = await within(cardReadMs, read(browseOperation, {}));
  return listed?.kind === "succeeded" ? (listed.answer ?? undefined) : undefined;
}
