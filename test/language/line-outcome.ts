import { z } from "zod";
import { operations } from "../../src/service/operations.ts";
import { instantOf } from "../../src/time/wall-clock.ts";
import { ask, textOf } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";

export interface Line {
  readonly text: string;
  readonly who: string;
  readonly means: string;
  readonly with?: Readonly<Record<string, unknown>> | undefined;
  readonly note?: string | undefined;
  readonly or?: readonly Pick<Line, "means" | "with">[] | undefined;
}

/** `wrong`: something was sent to the service that was not meant. `missed`: nothing was done that was not meant, but it takes more steps. */
export interface Judgement {
  readonly came: string;
  readonly verdict: "meant" | "missed" | "wrong";
}

interface Came {
  readonly requests: Curfew["service"]["requests"];
  /** The commands that ran. */
  readonly commands: readonly string[];
  /** The command of the form that opened. */
  readonly form: { readonly words: string; readonly edits: string } | undefined;
  readonly text: string;
  readonly reason: string;
}

/** Types a line and judges what came of it. */
export async function outcomeOf(bot: Curfew, line: Line): Promise<Judgement> {
  const came = await typed(bot, line);
  const shown = [
    ...came.requests.map(({ operation, path, body }) => `${operation} ${path} ${JSON.stringify(body)}`),
    ...(came.form ? [`form ${came.form.words} ${came.form.edits}`] : []),
    came.text.replaceAll("\n", " ").slice(0, 300),
  ].join(" | ");
  const verdicts = [line, ...(line.or ?? [])].map((meaning) => verdictOn({ ...line, ...meaning }, came));
  const best = (["meant", "missed"] as const).find((verdict) => verdicts.includes(verdict));
  return { came: shown, verdict: best ?? "wrong" };
}

const logLine = z.looseObject({ msg: z.string(), command: z.string().optional() });
const formMeta = z.looseObject({ words: z.string(), edits: z.unknown().optional() });

async function typed(bot: Curfew, { who, text }: Line): Promise<Came> {
  const { service, workspace } = bot;
  const person = workspace.as(who);
  const [sent, logged] = [service.requests.length, bot.logged.length];
  const replies = () => person.messages("ops").filter((each) => each.ephemeralTo === person.id && each.isFromApp);
  const before = new Set(replies().map(({ ts }) => ts));
  const [exclusion] = service.account.exclusions.keys();
  // The workspace itself wraps what it takes for links, and escapes the rest.
  const plain = text
    .replaceAll(/<@(\w+)>/g, (_, handle: string) => `<@${workspace.as(handle).id}|${handle}>`)
    .replaceAll(/<mailto:([^|>]+)\|[^>]*>/g, "$1")
    .replaceAll(/<(https:[^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replaceAll("&amp;", "&")
    .replaceAll(/\be-1\b/g, exclusion ?? "e-1");
  await person.type(`/curfew ${plain}`, "ops");
  const answer = await workspace.waitFor(() => person.openView() ?? replies().find(({ ts }) => !before.has(ts)), {
    what: `an answer to “${text}”`,
  });
  await bot.app.idle();
  const view = person.openView();
  const meta = view && formMeta.safeParse(JSON.parse(String(view.privateMetadata || "{}"))).data;
  if (view) await person.cancel();
  const shown = view
    ? view.text
    : textOf(replies().find(({ ts }) => !before.has(ts)) ?? { blocks: [], text: String(answer) });
  const changeId = /chg-[0-9a-z]+/.exec(shown)?.[0];
  const entry = changeId ? (await ask(bot, "carol", `history ${changeId}`)).text : "";
  return {
    requests: service.requests
      .slice(sent)
      .filter(({ operation }) => operation && operations[operation].effect !== "read"),
    commands: bot.logged
      .slice(logged)
      .flatMap((each) => logLine.safeParse(JSON.parse(each)).data ?? [])
      .flatMap(({ msg, command }) => (msg === "command" && command ? [command] : [])),
    form: meta && { words: meta.words, edits: JSON.stringify([meta.edits, view?.text]) },
    text: shown,
    reason: entry,
  };
}

const isAlso = (note: string | undefined): boolean =>
  /also right|acceptable|also fine|as good|answer it too/.test(note ?? "");

function verdictOn(line: Line, came: Came): Judgement["verdict"] {
  const { means, note } = line;
  const [request, ...more] = came.requests;
  const operation = changes[means];
  if (request) {
    if (more.length > 0 || !operation) return "wrong";
    return request.operation === operation && isAsMeant(line, came) ? "meant" : "wrong";
  }
  if (isAlso(note) && isOffer(came)) return "meant";
  if (means === "refused")
    return /:no_entry:|⛔|may not|have no role|you can .* only|can't|may only/.test(came.text) ? "meant" : "missed";
  if (means === "already") return /already/.test(came.text) ? "meant" : "missed";
  if (means === "offer" || means === "ask") return isOffer(came) ? "meant" : "missed";
  if (came.form && confirmed.has(means))
    return came.form.words === means && namesThing(line, came) ? "meant" : "missed";
  return came.commands.includes(means) ? "meant" : "missed";
}

/** A form, a question, or an answer that says what was not understood. */
const isOffer = ({ form, text }: Came): boolean =>
  form !== undefined || /\?|Nothing was changed|I don't know|I didn't understand|Curfew knows no/.test(text);

const changes: Readonly<Record<string, string>> = {
  "exclusion create": "CreateActionExclusion",
  "exclusion extend": "ModifyActionExclusion",
  "user disable": "ModifyUser",
  "user enable": "ModifyUser",
  "user email": "ModifyUser",
  "project rename": "ModifyProject",
  undo: "DeleteActionExclusion",
  "exclusion end": "DeleteActionExclusion",
};
const confirmed: ReadonlySet<string> = new Set(["exclusion end", "user remove-mfa"]);

const groups: Readonly<Record<string, readonly string[]>> = {
  staging: ["i-0a1", "i-0a2"],
  web: ["i-0b1", "i-0b2"],
  "data-warehouse": ["dw-main"],
};
const processes: Readonly<Record<string, readonly string[]>> = {
  stop: ["stop-resource"],
  start: ["start-resource"],
  both: ["start-resource", "stop-resource"],
};
const body = z.looseObject({
  resourceIds: z.array(z.string()).optional(),
  expiryDate: z.string().optional(),
  processes: z.array(z.string()).optional(),
  projectId: z.string().optional(),
  resourceType: z.string().optional(),
  name: z.string().optional(),
  status: z.string().optional(),
  emailAddress: z.string().optional(),
});

function isAsMeant({ means, with: meant = {} }: Line, { requests: [request], reason }: Came): boolean {
  const sent = body.safeParse(request?.body).data ?? {};
  const ids = [meant.group ?? []].flat().flatMap((name) => groups[String(name)] ?? []);
  const wanted = meant.ids ? [meant.ids].flat().map(String) : ids;
  // What is ended is named by its id alone.
  if (request?.operation === "DeleteActionExclusion") return true;
  const checks: Readonly<Record<string, () => boolean>> = {
    group: () => isSame(sent.resourceIds, wanted),
    ids: () => isSame(sent.resourceIds, wanted),
    until: () => Math.abs(Date.parse(sent.expiryDate ?? "") - berlin(String(meant.until))) < 60_000,
    process: () => isSame(sent.processes, processes[String(meant.process)] ?? []),
    project: () => (means === "project rename" ? hasId(String(meant.project)) : sent.projectId === meant.project),
    type: () => sent.resourceType === meant.type,
    name: () => sent.name === meant.name,
    user: () => hasId(String(meant.user)),
    email: () => sent.emailAddress === meant.email,
    reason: () => reason.includes(`Reason: ${String(meant.reason)}`),
  };
  const hasId = (id: string) => (request?.path ?? "").split("/").includes(id);
  const isStatusRight = !means.endsWith("able") || sent.status === `${means.split(" ")[1]}d`;
  return isStatusRight && Object.keys(meant).every((key) => checks[key]?.() ?? true);
}

const isSame = (sent: readonly string[] = [], wanted: readonly string[]): boolean =>
  sent.length === wanted.length && wanted.every((each) => sent.includes(each));

function namesThing({ with: meant = {} }: Line, { form }: Came): boolean {
  const named = meant.user ?? undefined;
  return named === undefined || (form?.edits.includes(String(named)) ?? false);
}

/** `2026-11-25T18:00` in Berlin, in epoch ms. */
function berlin(wall: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = wall.split(/\D/).map(Number);
  const found = instantOf({ year, month, day, hour, minute }, "Europe/Berlin");
  return found.kind === "instant" ? found.at : Number.NaN;
}
