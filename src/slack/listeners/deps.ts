import type { WebClient } from "@slack/web-api";
import type PQueue from "p-queue";
import type { Changes } from "../../changes/changes.ts";
import type { ConfigRequests } from "../../changes/config-requests.ts";
import type { ChangeSettings } from "../../changes/ports.ts";
import type { CardSubject } from "../../changes/queries/card-subject.ts";
import type { Receipts } from "../../changes/receipts.ts";
import type { Names } from "../../language/sense/names.ts";
import type { InFlight } from "../../lifecycle.ts";
import type { Logger } from "../../observability/log.ts";
import type { Actor } from "../../permissions/actor.ts";
import type { Schedule } from "../../time/loop.ts";
import type { Homes } from "../home/homes.ts";
import type { Actors } from "../people/actors.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import type { FloodGuard } from "../people/flood-guard.ts";
import type { StepEnds } from "../workflows/step-ending.ts";
import type { Access } from "./access.ts";
import type { Replies } from "./replies.ts";
import type { ContextOf } from "./request-context.ts";
import type { RunCommand } from "./run-command.ts";

/** What the handling of requests uses: one object, which the app builds. */
export interface Deps {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly replies: Replies;
  /** What is known by name to this person. */
  readonly names: (actor: Actor) => Promise<Names>;
  readonly cardSubject: (channelId: string, ts: string) => Promise<CardSubject | undefined>;
  readonly actors: Actors;
  readonly channelMembers: ChannelMembers;
  readonly changes: Changes;
  readonly configRequests: Pick<ConfigRequests, "decide">;
  readonly homes: Homes;
  readonly receipts: Receipts;
  readonly floodGuard: FloodGuard;
  readonly inFlight: InFlight;
  /** Requests that are recorded and acknowledged take their turn here, so that a pile of them does not hold up the record of the next. */
  readonly handling: PQueue;
  readonly progressSchedule?: Schedule | undefined;
  readonly stepEnds: StepEnds;
  /** The part of the config that the steps of workflows need; undefined where it allows no steps. */
  readonly workflows: () => { readonly steps: ReadonlySet<string>; readonly channel?: string | undefined } | undefined;
  readonly isOurTeam: (teamId: string) => boolean;
  readonly settings: () => ChangeSettings;
  readonly client: WebClient;
  readonly slashCommand: string;
  readonly now: () => number;
  readonly log: Logger;
}
