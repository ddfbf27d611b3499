import type { Entity } from "../../directory/directory.ts";
import { consoleAddress } from "../../permissions/requirements.ts";
import { accountOf } from "../../service/account-ids.ts";
import { userStatuses } from "../../service/resources.ts";
import { changeLine } from "../about-changes/history.ts";
import {
  type Answer,
  atMoment,
  type CommandButton,
  type Fact,
  factsIn,
  formButton,
  type Line,
  type Problem,
  resultButton,
} from "../answer.ts";
import { defineQuery, type FillContext, type QueryContext } from "../command.ts";
import { instant } from "../exclusion/exclusion-body.ts";
import { choice, defined, reference, text } from "../field.ts";
import { nearestTo } from "../thing.ts";
import { saidAt, saidBy, stillAttached, userDetachPolicy, userDisable, userEnable } from "../user.ts";
import { eachOnce } from "./about-thing.ts";
import { maySeeUsers, userOperations } from "./may-see.ts";
import { learnt, listAnswer, matching, pageField, searchWords } from "./page-of.ts";

const shownChanges = 5;

const phrasesWith = (mfa: "none" | "some", ...phrases: readonly string[]) =>
  phrases.map((phrase) => ({ phrase, sets: { mfa } }));

export const userShow = defineQuery({
  words: "user show",
  aliases: [
    ...["user", "who is <user>"],
    ...["is <user> enabled", "is <user> disabled"].map((phrase) => ({ phrase, sets: { asks: "status" } })),
    ...["does <user> have mfa", "has <user> mfa", "has <user> got mfa", "which mfa does <user> have"].map((phrase) => ({
      ...{ phrase, sets: { asks: "mfaType" } },
    })),
  ],
  title: "Show user",
  summary: "Show a user, what was done to their account, and my rights",
  operation: null,
  onlyWithOneOf: userOperations,
  fields: {
    user: reference("user", {
      label: "User",
      hint: "Their service user id, e-mail address or Slack name",
      positional: true,
    }),
    asks: choice(
      [
        { value: "status", label: "Status" },
        { value: "mfaType", label: "MFA" },
      ],
      { label: "Asks", hidden: "all", optional: true },
    ),
  },
  answer: async ({ user: id, asks }, context) => {
    const user = await context.directory.get("user", id);
    const isSeen = user && maySeeUsers(context, accountOf(id));
    return isSeen ? userAnswer(user, context, asks) : unknownUser(id, context);
  },
});

export const userList = defineQuery({
  words: "user list",
  aliases: [
    ...["users", "list users", "list <words> users", "show users"],
    ...["users without mfa", "users with no mfa"].flatMap((those) =>
      phrasesWith("none", those, `list ${those}`, `show ${those}`),
    ),
    ...phrasesWith("none", "who has no mfa", "who doesn't have mfa", "which users have no mfa"),
    ...phrasesWith("some", "users with mfa", "list users with mfa", "show users with mfa", "who has mfa"),
  ],
  title: "Users",
  summary: "Show the users that Curfew knows",
  operation: null,
  onlyWithOneOf: userOperations,
  fields: {
    words: text({
      label: "Words",
      hint: "Of their name or id; “disabled”, “without mfa”, “with” a policy",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    mfa: choice(
      [
        { value: "none", label: "Without MFA" },
        { value: "some", label: "With MFA" },
      ],
      { label: "MFA", hidden: "all", optional: true },
    ),
    page: pageField,
  },
  answer: async ({ words = "", mfa: asked, page = 1 }, context) => {
    const { mfa = asked, policy, status, rest } = withPhrases(words);
    const found = await searchWords("user", rest, context);
    const users = found.filter(({ id }) => maySeeUsers(context, accountOf(id)));
    const known = users.filter(
      ({ body }) => (!mfa || body.mfaType) && (!policy || body.managedPolicies) && (!status || body.status),
    );
    const all = known.filter(
      ({ body }) =>
        (!status || body.status === status) &&
        (!mfa || (body.mfaType === "none") === (mfa === "none")) &&
        (!policy ||
          body.managedPolicies?.some(({ name, managedPolicyId }) =>
            [name, managedPolicyId].some((each) => each?.toLowerCase() === policy.toLowerCase()),
          ) === true),
    );
    const unknown = policy ? "policies" : mfa ? "MFA" : status ? "status" : undefined;
    const of = [status, mfa && `${mfa === "none" ? "without" : "with"} MFA`, policy && `with the policy “${policy}”`];
    return listAnswer({
      ...{ all, page, noun: "known user", narrowed: [...of, matching(rest)].filter(Boolean).join(", ") || undefined },
      command: { words: "user list", input: defined({ words: words || undefined, mfa }) },
      note: unknown && unknownWords(unknown, users.length - known.length),
      whenEmpty: learnt,
      lines: (shown) => Promise.all(shown.map((user) => userLine(user, mfa !== undefined, context))),
    });
  },
});

const unknownWords = (what: string, count: number): string | undefined =>
  count === 0 ? undefined : `Curfew doesn't know the ${what} of ${count === 1 ? "1 other" : `${count} others`}.`;

/** "disabled", "without mfa", "with mfa" and "with Billing" within the words of a list. */
function withPhrases(words: string) {
  const [mfaSaid = "", without] = /\b(?:with(out)?|(no)) mfa\b/i.exec(words) ?? [];
  const left = words.replace(mfaSaid, "");
  const [policySaid = "", policy] = /\bwith (?:the )?(?:policy )?(.+)$/i.exec(left) ?? [];
  const mfa = mfaSaid === "" ? undefined : without || /^no/i.test(mfaSaid) ? "none" : "some";
  const others = left.replace(policySaid, "").split(/\s+/).filter(Boolean);
  const status = userStatuses.find((each) => others.some((word) => word.toLowerCase() === each));
  const rest = others.filter((word) => word.toLowerCase() !== status).join(" ");
  return { ...(mfa ? { mfa } : {}), policy, status, rest } as const;
}

async function userLine(user: Entity<"user">, saysSince: boolean, context: QueryContext): Promise<Line> {
  const { id, name, email, body } = user;
  const signedIn = instant(body.lastAccessDate);
  return {
    id,
    sign: body.status === "disabled" ? "off" : body.status === "enabled" ? "on" : "none",
    name: name ?? id,
    address: consoleAddress(context.settings, "user", id),
    parts: [
      ...(body.status ? [body.status] : []),
      ...(email ? [email] : []),
      ...(body.mfaType ? [`MFA ${body.mfaType}`] : []),
      ...(saysSince ? [`as ${saidBy(await saidAt(user, "mfaType", context), context)}`] : []),
      ...(signedIn === undefined ? [] : [{ before: "last signed in ", at: signedIn }]),
      id,
    ],
    menu: [
      resultButton("Show", "user show", { user: id }),
      ...userButtons(user, context).map((button) => ({ ...button, label: `${button.label}…` })),
    ],
  };
}

async function unknownUser(id: string, context: QueryContext): Promise<Problem> {
  const near = await nearestTo(id, context);
  const hint = near.length > 0 ? ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?` : "";
  return { field: "user", problem: `Curfew knows no user “${id}”.${hint} “user list” shows those it knows.` };
}

/** What Curfew knows of a user. The service has no read for users, so it may be old. */
export async function userAnswer(
  user: Entity<"user">,
  context: QueryContext,
  asks?: "status" | "mfaType",
): Promise<Answer> {
  const about = aboutUser(user);
  const waits = await context.history({ about, states: ["awaiting-approval"], limit: shownChanges });
  const changes = await context.history({ about, limit: shownChanges });
  const [latest] = changes.filter(({ isDone }) => isDone);
  const facts = [
    ...factsIn({
      Status: user.body.status ?? "not known",
      MFA: user.body.mfaType ?? "not known",
      "E-mail": user.email ?? "not known",
      "Last signed in": atMoment(instant(user.body.lastAccessDate)),
      User: user.id,
    }),
    ...(await statusFacts(user, context)),
    ...(latest ? [{ label: "As of", value: { at: latest.requestedAt } }] : []),
    ...(await policyFacts(user, context)),
  ];
  const source = asks && user.body[asks] ? saidBy(await saidAt(user, asks, context), context) : undefined;
  return {
    title: asks ? shortAnswer(user, asks) : (user.name ?? user.id),
    note: source ? `As ${source}. It may be different now: the service has no read for users.` : "As last known.",
    items: eachOnce([
      { title: "", facts, buttons: userButtons(user, context) },
      ...[...waits, ...changes].map(changeLine),
    ]),
    buttons: changes.length < shownChanges ? [] : [resultButton("History", "history", { which: `user ${user.id}` })],
  };
}

function shortAnswer({ id, name, body }: Entity<"user">, asks: "status" | "mfaType"): string {
  const who = name ?? id;
  const { status, mfaType } = body;
  if (asks === "status") return status ? `${who} is ${status}` : `Curfew doesn't know whether ${who} is enabled`;
  if (!mfaType) return `Curfew doesn't know whether ${who} has MFA`;
  return mfaType === "none" ? `${who} has no MFA` : `${who} has MFA: ${mfaType}`;
}

const aboutUser = ({ id }: Entity<"user">) => ({ subjects: [{ kind: "user", id }], resourceIds: [] }) as const;

/** Since when they have their status, and who gave it to them why, if that was done through Curfew. */
async function statusFacts(user: Entity<"user">, context: QueryContext): Promise<readonly Fact[]> {
  const commands = [userEnable.words, userDisable.words, "user offboard"];
  const asked = { about: aboutUser(user), commands, states: ["succeeded"], limit: 1 } as const;
  const [latest] = await context.history(asked);
  const { status } = user.body;
  if (!latest || !status || (latest.words === userEnable.words) !== (status === "enabled")) return [];
  const label = status === "enabled" ? "Enabled" : "Disabled";
  return [
    { label: `${label} since`, value: { at: latest.latestAt } },
    { label: `${label} by`, value: [latest.actorName, latest.reason ?? []].flat().join(": ") },
  ];
}

/** Only the answer to a detached policy tells the others, so they may be older than the rest. */
async function policyFacts(user: Entity<"user">, context: QueryContext): Promise<readonly Fact[]> {
  const detaching = { about: aboutUser(user), commands: [userDetachPolicy.words], states: ["succeeded"] } as const;
  const [detached] = await context.history({ ...detaching, limit: 1 });
  const left = detached?.description.facts.find(({ label }) => label === stillAttached);
  if (detached && left)
    return [
      { label: "Policies", value: left.value },
      { label: "Policies as of", value: { at: detached.requestedAt } },
    ];
  return context.may("DetachManagedPolicy", { account: accountOf(user.id) })
    ? [{ label: "Policies", value: "not known" }]
    : [];
}

/** The forms of what the requester may do to this account here. */
function userButtons({ id, body }: Entity<"user">, { may }: FillContext): readonly CommandButton[] {
  const form = (label: string, words: string): CommandButton => formButton(label, words, { user: id });
  const [toModify, toRemoveMfa, toDetach] = userOperations.map((operation) =>
    may(operation, { account: accountOf(id) }),
  );
  return [
    ...(toModify && body.status !== "disabled" ? [form("Disable", "user disable")] : []),
    ...(toModify && body.status !== "enabled" ? [form("Enable", "user enable")] : []),
    ...(toRemoveMfa && body.mfaType !== "none" ? [form("Remove MFA", "user remove-mfa")] : []),
    ...(toModify ? [form("Change e-mail", "user email")] : []),
    ...(toDetach && body.managedPolicies?.length !== 0 ? [form("Detach policy", "user detach-policy")] : []),
    ...(toModify && toDetach ? [form("Offboard", "user offboard")] : []),
  ];
}
