import type { ConfigState } from "../commands/config-state.ts";
import type { Logger } from "../observability/log.ts";
import type { Actor } from "../permissions/actor.ts";
import { holdsRole, type Policy, type Role, unlimitedRoles } from "../permissions/policy.ts";
import { every, type Repeated } from "../time/loop.ts";
import type { Audit, AuditStore } from "./audit.ts";

export type ConfigVerdict = "use" | "keep";

export interface ConfigCard {
  readonly channelId: string;
  readonly ts: string;
}

/** The request to the admins about one config, shared by all instances on the database. */
export interface ConfigRequest {
  readonly id: string;
  readonly card: ConfigCard | undefined;
  readonly verdict: ConfigVerdict | undefined;
  /** A Slack user id, or that of an operator. */
  readonly decidedBy: string | undefined;
}

/** The id covers both the config in force and the new one, so that a decision about one step does not count for another. */
export interface ConfigRequestStore {
  /** Gets the request with this id, or creates it. */
  openConfigRequest(id: string): Promise<ConfigRequest | undefined>;
  configRequest(id: string): Promise<ConfigRequest | undefined>;
  /** Claims the posting of the card for `leaseMs`. False if another instance holds the claim. */
  claimConfigCard(id: string, now: number, leaseMs: number): Promise<boolean>;
  configCardPosted(id: string, card: ConfigCard): Promise<void>;
  /** The first decision counts: false if there is one already, or if the request is gone. */
  decideConfig(id: string, verdict: ConfigVerdict, decidedBy: string): Promise<boolean>;
  forgetConfigRequest(id: string): Promise<void>;
  /** Also called at start, since earlier decisions no longer count. */
  forgetConfigDecisions(exceptId?: string): Promise<void>;
}

/** A config that waits for the admins because it loosens something. */
export interface HeldConfig {
  readonly id: string;
  readonly file: string;
  /** Of its text. */
  readonly hash: string;
  readonly loosens: readonly string[];
  readonly tightens: readonly string[];
  /** Takes the config over; false if the file has changed since. */
  readonly use: () => Promise<boolean>;
}

/** From one config to another. */
export interface ConfigStep {
  readonly id: string;
  readonly loosens: readonly string[];
  /** An operator let it loosen something, without the button. */
  readonly isConfirmed: boolean;
}

export interface ConfigCards {
  /** Posts the request in the channel. `deciders`: the roles whose members may decide. */
  post(channel: string, held: HeldConfig, deciders: readonly Role[]): Promise<ConfigCard | undefined>;
  /** Replaces the card with a text without buttons. */
  close(card: ConfigCard, text: string): Promise<void>;
}

export interface ConfigRequestPorts {
  readonly store: ConfigRequestStore &
    AuditStore & {
      /** Whether other instances may use the same database. */
      readonly isShared: boolean;
    };
  readonly cards: ConfigCards;
  readonly settings: () => { readonly policy: Policy; readonly admins?: { readonly channel: string } | undefined };
  readonly now: () => number;
  readonly log: Logger;
  readonly audit: Pick<Audit, "record">;
  readonly config: FollowedConfig;
  readonly pollMs?: number | undefined;
}

export type ConfigDecision =
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "decided"; readonly text: string }
  | { readonly kind: "too-late"; readonly text: string; readonly isGone: boolean };

export interface ConfigPress {
  readonly id: string;
  readonly verdict: ConfigVerdict;
  readonly actor: Actor;
  readonly channelId: string | null;
}

export type ConfigRequests = ReturnType<typeof createConfigRequests>;

const operator = "operator:sighup";
/** Lets in a config that loosens nothing. */
const nobody = "curfew";

const defaultPollMs = 3000;
/** Longer than any call of Slack takes. */
const postingMs = 60_000;

/**
 * Asks the admins about a config that loosens something, in the admins' channel of the config in force. When one of them
 * accepts it, the config is taken over. On PostgreSQL every instance that holds the same step polls for the decision.
 */
export function createConfigRequests(ports: ConfigRequestPorts) {
  const { store, cards, settings, log, audit, config } = ports;
  const holding = createHolding(ports);
  /** Closes the request. Gives who confirmed it. */
  const close = async ({ id, isConfirmed }: ConfigStep): Promise<string | undefined> => {
    await store.forgetConfigDecisions(id);
    if (!isConfirmed) return (await store.configRequest(id))?.decidedBy;
    const request = await store.openConfigRequest(id);
    const isFirst = await store.decideConfig(id, "use", operator);
    if (isFirst && request?.card) await cards.close(request.card, "It was taken over by an operator (SIGHUP).");
    return operator;
  };
  return {
    /** Posts the request without waiting for the decision. */
    hold: (held: HeldConfig): void => {
      config.noteNewer("held");
      audit.record("config-held", { newer: held.hash, loosens: held.loosens });
      holding.hold(held);
    },
    /** Closes the request: the held config is out of date. */
    drop: async (why: string): Promise<void> => {
      const id = holding.heldId();
      config.noteNewer(undefined);
      holding.release();
      if (id === undefined) return;
      const request = await store.configRequest(id);
      await store.forgetConfigRequest(id);
      if (request?.card && !request.verdict) await cards.close(request.card, why);
    },
    /** The config with this hash is in force from now on. Without a step it loosens nothing that is known. */
    taken: async (hash: string, step?: ConfigStep): Promise<void> => {
      const by = step && (await close(step));
      await config.taken(store, hash, by ?? nobody, step?.loosens);
      // Only now: what fails before is tried again.
      holding.release();
    },
    /** Handles a pressed button of the card. */
    decide: async ({ id, verdict, actor, channelId }: ConfigPress): Promise<ConfigDecision> => {
      const reason = whyNot(settings(), actor, channelId);
      if (reason !== undefined) {
        log.info(
          { configRequest: id, actorId: actor.userId, channelId, verdict, reason },
          "a decision on a config was refused",
        );
        audit.record("refused", {
          command: `config ${verdict}`,
          actor: actor.userId,
          channel: channelId,
          rule: "admins",
        });
        return { kind: "refused", reason };
      }
      if (!(await store.decideConfig(id, verdict, actor.userId))) return tooLate(await store.configRequest(id));
      log.info({ configRequest: id, actorId: actor.userId, verdict }, "a config that loosens something was decided on");
      audit.record("config-decided", { actor: actor.userId, verdict });
      const text = verdict === "use" ? await use(ports, holding, id) : "The old one stays in force.";
      return { kind: "decided", text };
    },
    stop: holding.stop,
  };
}

/** Takes over an accepted config and describes the result. */
async function use({ store }: ConfigRequestPorts, { heldId, check }: Holding, id: string): Promise<string> {
  if (heldId() !== id && store.isShared) return "Every Curfew whose file still says this takes it over within seconds.";
  const outcome = heldId() === id ? await check().catch(() => "failed" as const) : "changed";
  switch (outcome) {
    case "used":
      return "It is taken over now.";
    case "changed":
      await store.forgetConfigRequest(id);
      return "It was not taken over: the file says something else by now. Nothing was changed.";
    case "waiting":
    case "failed":
      return "It could not be taken over yet; Curfew tries again until it can.";
  }
}

type Holding = ReturnType<typeof createHolding>;

/** The config that this instance holds, and the polling for its decision. */
function createHolding({ store, cards, settings, now, log, pollMs = defaultPollMs }: ConfigRequestPorts) {
  let held: HeldConfig | undefined;
  let repeated: Repeated | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const rest = (): void => void repeated?.stop();
  const release = (): void => {
    rest();
    held = undefined;
  };
  const postCard = async (current: HeldConfig): Promise<void> => {
    const { admins, policy } = settings();
    if (!admins || !(await store.claimConfigCard(current.id, now(), postingMs))) return;
    const card = await cards.post(admins.channel, current, unlimitedRoles(policy, admins.channel));
    if (!card) return;
    await store.configCardPosted(current.id, card);
    // Nobody could close the card while it was being posted.
    if (held === current || (await store.configRequest(current.id))?.verdict) return;
    await store.forgetConfigRequest(current.id);
    await cards.close(card, outOfDate);
  };
  const checkOnce = async (): Promise<"used" | "changed" | "waiting"> => {
    if (!held) return "waiting";
    const current = held;
    const request = await store.openConfigRequest(current.id);
    if (request?.verdict === undefined) await postCard(current);
    if (request?.verdict === "keep") rest();
    if (request?.verdict !== "use") return "waiting";
    if (await current.use()) return "used";
    if (held === current) release();
    await store.forgetConfigRequest(current.id);
    return "changed";
  };
  /** Runs one check at a time, so that a check after a decision sees it. */
  const check = () => {
    const checked = last.then(checkOnce);
    last = checked.catch((error: unknown) =>
      log.error({ err: error }, "a config that waits could not be looked after"),
    );
    return checked;
  };
  return {
    release,
    check,
    heldId: () => held?.id,
    hold: (config: HeldConfig): void => {
      release();
      held = config;
      // The error is logged already.
      const ignore = () => undefined;
      repeated = every(pollMs, check, ignore);
      void check().catch(ignore);
    },
    stop: async (): Promise<void> => {
      release();
      await last;
    },
  };
}

/** Decided by the config in force, not by the held one. */
function whyNot(
  { policy, admins }: ReturnType<ConfigRequestPorts["settings"]>,
  actor: Actor,
  channelId: string | null,
): string | undefined {
  if (!admins || channelId !== admins.channel) return "This is decided in the admins' channel only.";
  const roles = unlimitedRoles(policy, admins.channel);
  if (roles.some((role) => holdsRole(actor, role))) return undefined;
  const names = roles.map(({ name }) => name).join(" or ");
  return names
    ? `Only a full member whose role allows everything may decide this: ask ${names}.`
    : "Only a full member whose role allows everything may decide this. There is none.";
}

const outOfDate = "This is out of date: the config has changed since, or is in force already.";

function tooLate(request: ConfigRequest | undefined): ConfigDecision {
  if (!request?.verdict) {
    return { kind: "too-late", text: `${outOfDate} Nothing was changed.`, isGone: true };
  }
  const what = request.verdict === "use" ? "to use it" : "to keep the old one";
  return { kind: "too-late", text: `It was decided already ${what}. Nothing was changed.`, isGone: false };
}

export type FollowedConfig = ReturnType<typeof createFollowedConfig>;

/** Which config is in force, by the history, and whether a newer file is not used. */
export function createFollowedConfig(now: () => number) {
  let state: ConfigState = { inForce: undefined, newer: undefined };
  return {
    state: () => state,
    /** Of a newer file that is not used; undefined when there is none any more. */
    noteNewer: (kind: "held" | "invalid" | undefined): void => {
      if (state.newer?.kind !== kind) state = { ...state, newer: kind && { kind, since: now() } };
    },
    /** Records that this config is in force. `actor`: who let it in. */
    taken: async (store: AuditStore, hash: string, actor: string, loosens: readonly string[] = []): Promise<void> => {
      state = { inForce: await store.configInForce(now(), hash, { actor, loosens }), newer: undefined };
    },
  };
}
