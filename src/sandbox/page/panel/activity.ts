import type { Sandbox } from "../../sandbox.ts";
import type { Run } from "../../service/runs.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import { objectsIn, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/render/format-date.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import type { ActivityLine, ActivityStory } from "../wire.ts";
import {
  ackEffect,
  actLine,
  actorOf,
  callEffect,
  callLine,
  counted,
  isOwnMessage,
  ownWorkLine,
  requestLine,
  runLine,
} from "./activity-lines.ts";

const maxStories = 300;
/** Work later than this after the last step of a story belongs to a timer, not to the person. */
const maxGapMs = 60_000;

/** What a person did, or the start of Curfew's own work, and what followed. */
interface Story {
  readonly act: AppRequest | undefined;
  readonly steps: (ServiceStep | SlackStep)[];
  lastAt: number;
}
type Step<K, V> = { readonly kind: K; readonly at: number; readonly index: number; readonly step: V };
type ServiceStep = Step<"service", RecordedRequest>;
type SlackStep = Step<"slack", ApiCall>;
type Event = ServiceStep | SlackStep | Step<"act", AppRequest>;

/**
 * What each person did, Curfew's calls to the service and the messages that followed, and the scheduled runs, oldest first. Says that
 * there was a private answer, but not what it was, because the panel is the same for everyone.
 */
export function activityOf(sandbox: Sandbox, viewer: Viewer): readonly ActivityStory[] {
  const { workspace, service } = sandbox;
  const stories = storiesOf([
    ...eventsOf(
      "act",
      workspace.appRequests.filter((each) => !isOwnMessage(each)),
      ({ sentAt }) => sentAt,
    ),
    ...eventsOf("service", service.requests, ({ at }) => at),
    ...eventsOf("slack", workspace.calls, ({ at }) => at),
  ]).filter((story) => !isRoutine(story));
  const shown = stories.slice(-maxStories).map((story) => storyShown(story, sandbox, viewer));
  const runs = service.runs().slice(-maxStories).map(runShown);
  return [...shown, ...runs].sort((one, other) => one.at - other.at);
}

/** Curfew reads the actions every minute. */
const isRoutine = ({ act, steps }: Story): boolean =>
  act === undefined &&
  steps.every(
    (each) => each.kind === "service" && each.step.operation === "ListActions" && (each.step.status ?? 200) < 300,
  );

const eventsOf = <K extends Event["kind"], V>(
  kind: K,
  list: readonly V[],
  atOf: (value: V) => number,
): readonly Step<K, V>[] => list.map((step, index) => ({ kind, at: atOf(step), index, step }));

/** A step belongs to the act whose URL or trigger it uses, else to the last story about its change, else to the latest act. */
function storiesOf(events: Event[]): readonly Story[] {
  const stories: Story[] = [];
  const byHandle = new Map<string, Story>();
  const byChange = new Map<string, Story>();
  let current: Story | undefined;
  const begin = (at: number, act?: AppRequest): Story => {
    const story = { act, steps: [], lastAt: at };
    stories.push(story);
    return story;
  };
  const recent = (story: Story | undefined, at: number) =>
    story !== undefined && at - story.lastAt <= maxGapMs ? story : undefined;
  const connect = (story: Story, source: unknown) => {
    for (const change of changesIn(source)) byChange.set(change, story);
  };
  for (const event of events.sort((one, other) => one.at - other.at)) {
    if (event.kind === "act") {
      current = begin(event.at, event.step);
      for (const handle of handlesOf(event.step)) byHandle.set(handle, current);
      connect(current, event.step.answer);
      continue;
    }
    const [sent, handle] = event.kind === "slack" ? [event.step.arguments, handleIn(event.step)] : [];
    const about = changesIn(sent).flatMap((change) => recent(byChange.get(change), event.at) ?? []);
    const own = byHandle.get(handle ?? "") ?? latest(about);
    const story: Story = own ?? recent(current, event.at) ?? begin(event.at);
    if (own === undefined) current = story;
    story.steps.push(event);
    story.lastAt = Math.max(story.lastAt, event.at);
    connect(story, sent);
  }
  return stories;
}

const latest = (stories: readonly Story[]): Story | undefined =>
  stories.toSorted((one, other) => one.lastAt - other.lastAt).at(-1);

function handlesOf({ payload }: AppRequest): readonly string[] {
  const urls = [payload, ...objectsIn(payload.response_urls)].map(({ response_url }) => stringAt(response_url));
  const paths = urls.flatMap((url) => (url === undefined ? [] : new URL(url).pathname));
  const trigger = stringAt(payload.trigger_id);
  return trigger === undefined ? paths : [...paths, trigger];
}

const handleIn = ({ path, arguments: sent }: ApiCall): string => stringAt(sent.trigger_id) ?? path;

const changesIn = (value: unknown): readonly string[] => JSON.stringify(value ?? null).match(/\bchg-\w+/g) ?? [];

function storyShown({ act, steps, lastAt }: Story, { workspace }: Sandbox, viewer: Viewer): ActivityStory {
  const head = act === undefined ? ownWorkLine(steps[0]?.at ?? lastAt) : actLine(act, workspace.manifest, viewer);
  const requester = act === undefined ? "the person" : viewer.nameOf(actorOf(act));
  const lines = steps.map(
    (each): ActivityLine =>
      each.kind === "service" ? requestLine(each.step, each.index) : callLine(each.step, each.index),
  );
  const effects = steps.flatMap((each) =>
    each.kind === "slack" ? (callEffect(each.step, viewer, requester) ?? []) : [],
  );
  const acked = act === undefined ? undefined : ackEffect(act, requester);
  return { ...head, steps: lines, messages: counted(acked === undefined ? effects : [acked, ...effects]) };
}

const runShown = (run: Run): ActivityStory => ({ ...runLine(run), steps: [], messages: "" });
