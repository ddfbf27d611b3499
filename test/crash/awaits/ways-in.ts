import { vi } from "vitest";
import type { OpenView } from "../../../src/sandbox/workspace/form-fields.ts";
import type { Person } from "../../../src/sandbox/workspace/person.ts";
import type { StoredMessage } from "../../../src/sandbox/workspace/state.ts";
import type { Workspace } from "../../support/start-workspace.ts";
import { ask, type CrashRequest, messagesTo } from "../ask.ts";
import type { Scene, Sending } from "../scene.ts";
import { waitMs } from "../wait-ms.ts";

/** A request of any kind, and which change it may have made. */
export interface Asked extends CrashRequest {
  readonly isOf: (change: {
    readonly id: string;
    readonly idempotency_key: string;
    readonly subject_id: string | null;
  }) => boolean;
  /** The change that this person decides on. */
  readonly decides?: string;
}

/** One way in which people ask for changes. */
export interface Way {
  readonly title: string;
  /** Makes what the people need for their requests, and returns the requests: one each. */
  prepare(scene: Scene, handles: readonly string[]): Promise<readonly Sending<Asked>[]>;
}

const perExclusion = 4;

export const ways: readonly Way[] = [
  {
    title: "a line",
    prepare: async (_scene, handles) =>
      handles.map((handle) => async (workspace) => {
        const request = await ask(workspace, handle);
        return { ...request, isOf: ({ idempotency_key: key }) => key === `command:${request.triggerId}` };
      }),
  },
  {
    title: "lines that wait for each other's lock",
    prepare: async (scene, handles) => {
      const exclusions = await excluded(scene, handles.slice(0, handles.length / perExclusion));
      return handles.map((handle, index) =>
        typed(
          handle,
          `extend ${exclusions[index % exclusions.length]?.id} ${1 + Math.floor(index / exclusions.length)}h`,
        ),
      );
    },
  },
  {
    title: "a form",
    prepare: async (scene, handles) => {
      const sendings: Sending<Asked>[] = [];
      // A few at a time: a form that cannot be opened soon is not opened.
      for (let from = 0; from < handles.length; from += 4)
        sendings.push(...(await Promise.all(handles.slice(from, from + 4).map((handle) => withForm(scene, handle)))));
      return sendings;
    },
  },
  {
    title: "Extend 1 h, each by several people",
    prepare: (scene, handles) => pressesOnCards(scene, handles, "Extend 1 h"),
  },
  {
    title: "End now, each by several people",
    prepare: (scene, handles) => pressesOnCards(scene, handles, "End now"),
  },
  {
    title: "Approve, each by several people",
    prepare: async (scene, handles) => {
      const [requesters, approvers] = [
        handles.slice(0, handles.length / perExclusion),
        handles.slice(handles.length / perExclusion),
      ];
      const waiting = await excluded(scene, requesters, "12d");
      return approvers.map((handle, index) => {
        const { card, changeId } = waiting[index % waiting.length] ?? missing();
        return async (workspace) => ({
          ...(await pressed(workspace, handle, "Approve", card)),
          isOf: ({ id }) => id === changeId,
          decides: changeId,
        });
      });
    },
  },
];

function typed(handle: string, line: string): Sending<Asked> {
  return async (workspace) => {
    const request = await acting(workspace, handle, async () => {
      const { ok } = await workspace.as(handle).type(`/curfew ${line}`, "ops");
      return ok;
    });
    return { ...request, isOf: ({ idempotency_key: key }) => key === `command:${request.triggerId}` };
  };
}

async function withForm({ workspace }: Scene, handle: string): Promise<Sending<Asked>> {
  const person = workspace.as(handle);
  if (person.openView()) await person.cancel();
  const line = `/curfew exclude --another --name form-${nextNumber()}`;
  const form = await vi.waitUntil(() => opened(person, line), { timeout: waitMs, interval: 10 });
  await person.fill({ What: "staging" });
  return async () => ({
    ...(await acting(workspace, handle, async () => (await person.submit()).kind !== "failed")),
    isOf: ({ idempotency_key: key }) => key === `view:${form.id}`,
  });
}

/** On a busy machine Curfew answers that the form took too long, with a button. Then the line is typed again. */
async function opened(person: Person, line: string): Promise<OpenView | undefined> {
  await person.type(line, "ops");
  const look = vi.waitUntil(() => person.openView(), { timeout: 3000, interval: 10 });
  return look.catch(() => undefined);
}

interface Excluded {
  readonly id: string;
  readonly changeId: string;
  readonly card: StoredMessage;
}

/** An exclusion of each person, or its request, with its card in the channel. */
async function excluded(scene: Scene, handles: readonly string[], length = "1d"): Promise<readonly Excluded[]> {
  const made: Excluded[] = [];
  // On a busy machine some are refused, or have an unknown outcome.
  for (let left = handles; left.length > 0; left = handles.slice(made.length)) {
    const names = left.map(() => `base-${nextNumber()}`);
    await scene.send(
      left.map((handle, index) => typed(handle, `exclude staging for ${length} --another --name ${names[index]}`)),
    );
    await scene.settle();
    const changes = await scene.db.selectFrom("change").select(["id", "state", "subject_id", "input_json"]).execute();
    const posts = scene.workspace.channel("ops").messages;
    for (const { id: changeId, state, subject_id: id, input_json: input } of changes) {
      const isWanted = names.some((name) => input.includes(`"${name}"`)) && !["failed", "unknown"].includes(state);
      const card = isWanted ? posts.find(({ text }) => text.endsWith(`change ${changeId}`)) : undefined;
      if (card) made.push({ id: id ?? "", changeId, card });
    }
  }
  return made;
}

async function pressesOnCards(
  scene: Scene,
  handles: readonly string[],
  label: string,
): Promise<readonly Sending<Asked>[]> {
  const exclusions = await excluded(scene, handles.slice(0, handles.length / perExclusion));
  const before = await scene.db.selectFrom("change").select("id").execute();
  const earlier = new Set(before.map(({ id }) => id));
  return handles.map((handle, index) => {
    const { id, card } = exclusions[index % exclusions.length] ?? missing();
    return async (workspace) => ({
      ...(await pressed(workspace, handle, label, card)),
      isOf: (change) => change.subject_id === id && !earlier.has(change.id),
    });
  });
}

/** Somebody who comes when others have ended it finds no button any more, and asks for nothing. */
const pressed = (workspace: Workspace, handle: string, label: string, card: StoredMessage): Promise<CrashRequest> =>
  acting(workspace, handle, async () => {
    const shown = workspace.channel("ops").messages.find(({ ts }) => ts === card.ts) ?? card;
    return JSON.stringify(shown.blocks).includes(label) && (await workspace.as(handle).press(label, card)).ok;
  });

async function acting(workspace: Workspace, handle: string, act: () => Promise<boolean>): Promise<CrashRequest> {
  const person = workspace.as(handle);
  const seenBefore = messagesTo(workspace, handle).length;
  const isAcknowledged = await act();
  const request = workspace.appRequests.findLast(({ payload }) =>
    [payload.user_id, idIn(payload.user)].includes(person.id),
  );
  return {
    handle,
    name: `${handle}-${nextNumber()}`,
    triggerId: String(request?.payload.trigger_id),
    isAcknowledged,
    seenBefore,
  };
}

const idIn = (user: unknown): unknown => (user instanceof Object && "id" in user ? user.id : undefined);

let last = 0;

function nextNumber(): number {
  last += 1;
  return last;
}

function missing(): never {
  throw new Error("It was not made.");
}
