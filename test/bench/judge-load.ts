import type { SandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import type { Workspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { progressText } from "../../src/slack/listeners/attend.ts";
import type { Sent } from "./company-load.ts";
import type { watchDatabase } from "./database-use.ts";
import { aligned, verdict } from "./table.ts";

interface Judged {
  readonly workspace: Workspace;
  readonly service: SandboxService;
  readonly database: Awaited<ReturnType<typeof watchDatabase>>;
  readonly sent: readonly Sent[];
}

/** What became of every command, as the database, the service and the messages say. */
export async function judgeLoad({ workspace, service, database, sent }: Judged): Promise<string> {
  const rows = await database.query("select id, state, input_json::json ->> 'name' as name from change");
  const changes = new Map(rows.map((row) => [row.name, row]));
  const records = tally(rows.map(({ name }) => name));
  const creations = service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
  const calls = tally(creations.map(({ body }) => nameIn(body)));
  const made = tally([...service.account.exclusions.values()].map(({ name }) => name));
  const answers = answersByName(workspace);
  const told = postsByChange(workspace);
  const all = sent.map((each) => {
    const { id, state } = changes.get(each.name) ?? {};
    const of = (counts: ReadonlyMap<unknown, number>) => counts.get(each.name) ?? 0;
    const { direct = 0, cards = [] } = told.get(id ?? "") ?? {};
    const own = answers.get(each.name) ?? [];
    const isRefused = id === undefined && own.some((text) => text.includes("othing was "));
    return {
      ...each,
      state,
      isRefused,
      records: of(records),
      called: of(calls),
      done: of(made),
      answers: own.length + direct,
      cards,
    };
  });
  const count = (is: (one: (typeof all)[number]) => boolean) => all.filter(is).length;
  const some = (label: string, is: (one: (typeof all)[number]) => boolean) => [label, String(count(is)), ""] as const;
  const none = (label: string, is: (one: (typeof all)[number]) => boolean) =>
    [label, String(count(is)), verdict(count(is) === 0)] as const;
  const states = [...new Set(all.flatMap(({ state }) => state ?? []))];
  return aligned([
    ["", "commands", ""],
    some("sent", () => true),
    some("acknowledged within 3 s", (one) => one.isAcknowledged),
    ...states.map((state) => some(`ended ${state}`, (one) => one.state === state)),
    some("no record, and answered that nothing was done", (one) => one.isRefused),
    some("no record, and Slack showed an error", (one) => one.records === 0 && !one.isRefused && !one.isAcknowledged),
    none(
      "acknowledged, with neither a record nor such an answer",
      (one) => one.isAcknowledged && one.records === 0 && !one.isRefused,
    ),
    none("recorded more than once", (one) => one.records > 1),
    none("called for more than once", (one) => one.called > 1),
    none("done more than once in the service", (one) => one.done > 1),
    none("succeeded and not done", (one) => one.state === "succeeded" && one.done !== 1),
    none("done and without a record", (one) => one.done > 0 && one.records === 0),
    none("recorded and never answered", (one) => one.records > 0 && one.answers === 0),
    some("answered twice", (one) => one.answers > 1),
    some("with a card so far", (one) => one.cards.length > 0),
    none("two cards in one channel", (one) => new Set(one.cards).size < one.cards.length),
  ]);
}

const nameIn = (body: unknown): string =>
  typeof body === "object" && body !== null && "name" in body ? String(body.name) : "";

/** By the name in the command: what its requester read in the acknowledgement and by `response_url`, but that an answer follows. */
function answersByName({ calls, appRequests }: Workspace): ReadonlyMap<string, readonly string[]> {
  const answers = new Map<string, string[]>();
  const byUrl = new Map<string, string[]>();
  const add = (texts: string[], value: unknown) => {
    const text = JSON.stringify(value);
    if (![progressText, followsText].some((promise) => text.includes(promise))) texts.push(text);
  };
  for (const { kind, payload, answer } of appRequests) {
    if (kind !== "command") continue;
    const texts: string[] = [];
    answers.set(String(payload.text).split(" ").at(-1) ?? "", texts);
    byUrl.set(new URL(String(payload.response_url)).pathname, texts);
    if (answer?.kind === "acknowledged" && answer.body.kind !== "empty") add(texts, answer.body);
  }
  for (const { path, arguments: given, status } of calls) if (status === 200) add(byUrl.get(path) ?? [], given);
  return answers;
}

interface Posts {
  /** Direct messages to the requester. */
  direct: number;
  /** The channel of each card. */
  readonly cards: string[];
}

/** By the change that a text names at its end. */
function postsByChange({ calls }: Workspace): ReadonlyMap<string, Posts> {
  const posts = new Map<string, Posts>();
  for (const { method, arguments: given, answer } of calls) {
    const id = /change (chg-\w+)/.exec(String(given.text))?.[1];
    const isPosted = method === "chat.postMessage" && typeof answer === "object" && answer?.ok === true;
    if (id === undefined || !isPosted) continue;
    const of = posts.get(id) ?? { direct: 0, cards: [] };
    posts.set(id, of);
    const channel = String(given.channel);
    if (channel.startsWith("C")) of.cards.push(channel);
    else of.direct += 1;
  }
  return posts;
}

function tally(names: readonly unknown[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
