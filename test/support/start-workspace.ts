import type { SeedPerson } from "../../src/sandbox/workspace/default-seed.ts";
import type { AppRequest } from "../../src/sandbox/workspace/deliveries.ts";
import { type JsonObject, stringAt } from "../../src/sandbox/workspace/json-object.ts";
import { type DeliveryOutcome, type LiveWorkspace, sendEvent } from "../../src/sandbox/workspace/live-workspace.ts";
import {
  deliverCommand,
  escapeTyped,
  eventOf,
  runStep,
  sendMention,
  sendMessage,
} from "../../src/sandbox/workspace/messages.ts";
import {
  startWorkspace as startSandboxWorkspace,
  type WorkspaceOptions,
} from "../../src/sandbox/workspace/start-workspace.ts";
import { messageKey, messagesIn, type StoredMessage, viewOf, viewPayload } from "../../src/sandbox/workspace/state.ts";
import { userObject } from "../../src/sandbox/workspace/web-api.ts";
import { createSocketConnections } from "./socket-connections.ts";

export type { WorkspaceOptions } from "../../src/sandbox/workspace/start-workspace.ts";
export type Workspace = Awaited<ReturnType<typeof startWorkspace>>;

type SandboxWorkspace = Awaited<ReturnType<typeof startSandboxWorkspace>>;

/** The sandbox's workspace with Socket Mode, what only tests change in it, and a look behind what its clients show. */
export async function startWorkspace(options: Omit<WorkspaceOptions, "sockets">) {
  const sockets = createSocketConnections(options.deadlineMs ?? 3000, () => workspace.live.signal.changed());
  const workspace: SandboxWorkspace = await startSandboxWorkspace({ ...options, sockets });
  const { live, as } = workspace;
  const { people, channels, executions, messages } = live;
  return {
    ...workspace,
    sockets,
    changes: workspaceChanges(live),
    /** The messages visible to all members, including thread replies. */
    channel: (name: string) => {
      const { id } = channels.named(name);
      return { id, messages: messagesIn(live, id).filter((message) => message.ephemeralTo === undefined) };
    },
    /** What the app posted, as it stands now, private messages too. */
    posted: () => messages.all.filter(({ isFromApp }) => isFromApp),
    homeOf: (name: string): JsonObject | undefined => {
      const view = viewOf(live, people.named(name).id, "home");
      return view && viewPayload(view, live);
    },
    /** Runs a step of the app as Workflow Builder does. */
    runStep: (callbackId: string, inputs: JsonObject) => runStep(live, callbackId, inputs),
    /** A run of a step as it is now. */
    execution: (id: string) => executions.get(id),
    waitFor: <T>(probe: () => T | undefined | false | null, waiting: WaitOptions = {}) =>
      waitFor(probe, waiting, workspace),
    /** Sends the same payload again. The answer is checked but has no effect. */
    redeliver: async ({ kind, payload, retry }: AppRequest): Promise<DeliveryOutcome> => {
      const userId = stringAt(payload.user_id) ?? "";
      // Nobody sees the answer to a request in the name of somebody who is not there.
      if (kind === "command" && people.get(userId)) return deliverCommand(as(userId), payload);
      const answer = await live.send({ kind, payload, ...(retry ? { retry } : {}) });
      return answer.kind === "acknowledged" ? { ok: true } : { ok: false, shown: answer.error };
    },
  };
}

interface WaitOptions {
  readonly timeoutMs?: number;
  /** Names the awaited condition in the error. */
  readonly what?: string;
}

const maxShownCalls = 12;

/** Resolves when the probe finds something. Probes after every change in the workspace. */
function waitFor<T>(
  probe: () => T | undefined | false | null,
  { timeoutMs = 15_000, what = "the awaited condition" }: WaitOptions,
  { onChange, calls }: SandboxWorkspace,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(deadline);
      unlisten();
    };
    const check = (isLast: boolean): void => {
      try {
        const found = probe();
        if (found !== undefined && found !== false && found !== null) {
          stop();
          resolve(found);
        } else if (isLast) {
          stop();
          reject(new Error(`${what} did not happen within ${timeoutMs} ms. Recent calls:\n${describeCalls(calls)}`));
        }
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const unlisten = onChange(() => check(false));
    const deadline = setTimeout(() => check(true), timeoutMs);
    check(false);
  });
}

function describeCalls(calls: SandboxWorkspace["calls"]): string {
  const lines = calls.slice(-maxShownCalls).map(({ method, status, arguments: sent, answer }) => {
    return `  ${method} ${status} ${cut(JSON.stringify(sent), 200)} -> ${cut(JSON.stringify(answer), 200)}`;
  });
  return lines.join("\n") || "  none";
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Changes that people make in the workspace. Sends the subscribed events. */
function workspaceChanges(workspace: LiveWorkspace) {
  const { people, channels, groups, messages, app, ids, team, now } = workspace;
  const idOf = (person: string): string => (person === "bot" ? app.botUserId : people.named(person).id);
  const setMember = (person: string, name: string, isMember: boolean): Promise<DeliveryOutcome> => {
    const { id: channel, memberIds } = channels.named(name);
    const user = idOf(person);
    const others = memberIds.filter((id) => id !== user);
    channels.change(channel, { memberIds: isMember ? [...others, user] : others });
    const type = isMember ? "member_joined_channel" : "member_left_channel";
    return sendEvent(workspace, { type, user, channel, channel_type: "C", team: team.id });
  };
  const ownOf = ({ channelId, userId }: StoredMessage) => ({
    user: people.named(userId),
    channel: channels.named(channelId),
  });
  const hiddenEvent = (subtype: string, { channelId: channel }: StoredMessage): JsonObject => ({
    subtype,
    hidden: true,
    ts: ids.timestamp(),
    channel,
  });
  return {
    /** `person` may be "bot". */
    join: (person: string, channel: string) => setMember(person, channel, true),
    leave: (person: string, channel: string) => setMember(person, channel, false),
    archive: (name: string) => {
      const { id: channel } = channels.change(name, { isArchived: true });
      return sendEvent(workspace, { type: "channel_archive", channel, user: "USLACKBOT" });
    },
    setGroup: (name: string, members: readonly string[]) => {
      const before = groups.named(name);
      const memberIds = members.map(idOf);
      groups.change(before.id, { memberIds, updatedAt: now() });
      return sendEvent(workspace, {
        type: "subteam_members_changed",
        subteam_id: before.id,
        team_id: team.id,
        added_users: memberIds.filter((id) => !before.memberIds.includes(id)),
        removed_users: before.memberIds.filter((id) => !memberIds.includes(id)),
      });
    },
    disableGroup: (name: string) => {
      const { id, handle, memberIds } = groups.change(name, { isDisabled: true, updatedAt: now() });
      return sendEvent(workspace, { type: "subteam_updated", subteam: { id, handle, users: memberIds } });
    },
    changePerson: (person: string, changes: Partial<SeedPerson>) => {
      const user = people.change(idOf(person), { ...changes, updatedAt: now() });
      return sendEvent(workspace, { type: "user_change", user: userObject(user, workspace) });
    },
    /** Changes a person's own message (PLATFORM.md §2.2). A mention in it is sent again, marked as edited. */
    edit: async (message: StoredMessage, typed: string): Promise<StoredMessage> => {
      const { user, channel } = ownOf(message);
      const changed = messages.put({ ...message, text: escapeTyped(typed, workspace), isEdited: true });
      const edited = { edited: { user: user.id, ts: ids.timestamp() } };
      await sendMention({ workspace, user }, channel, changed, edited);
      await sendMessage(workspace, channel, {
        ...hiddenEvent("message_changed", message),
        message: { type: "message", ...eventOf(user, changed), ...edited },
        previous_message: { type: "message", ...eventOf(user, message) },
      });
      return changed;
    },
    /** Removes a person's own message. */
    remove: async (message: StoredMessage): Promise<void> => {
      const { user, channel } = ownOf(message);
      messages.remove(messageKey(message));
      await sendMessage(workspace, channel, {
        ...hiddenEvent("message_deleted", message),
        deleted_ts: message.ts,
        previous_message: { type: "message", ...eventOf(user, message) },
      });
    },
  };
}
