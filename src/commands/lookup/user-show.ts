import type { Entity } from "../../directory/directory.ts";
import { userStatuses } from "../../service/resources.ts";
import { changeLine } from "../about-changes/history.ts";
import type { Answer, CommandButton, Fact, Line, Problem } from "../answer.ts";
import { defineQuery, type FillContext, type QueryContext } from "../command.ts";
import { instant } from "../exclusion/exclusion-body.ts";
import { choice, reference, text } from "../field.ts";
import { saidAt, saidBy } from "../known-mfa.ts";
import { nearestTo } from "../thing.ts";
import { stillAttached, userDetachPolicy } from "../user.ts";
import { userOperations } from "./may-see.ts";
import { listAnswer, matching, pageField } from "./page-of.ts";
import { searchWords } from "./search-words.ts";

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
    return user ? userAnswer(user, context, asks) : unknownUser(id, context);
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
      hint: "Of their name, e-mail address or id, or “disabled”",
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
  answer: async ({ words = "", mfa, page = 1 }, context) => {
    const users = await usersWith(words, context);
    const known = users.filter(({ body }) => body.mfaType);
    const all = mfa ? known.filter(({ body }) => (body.mfaType === "none") === (mfa === "none")) : users;
    const unknown = mfa ? users.length - known.length : 0;
    const of = mfa && `${mfa === "none" ? "without" : "with"} MFA`;
    return listAnswer({
      ...{ all, page, noun: "user", narrowed: [of, matching(words)].filter(Boolean).join(", ") || undefined },
      command: { words: "user list", input: { ...(words ? { words } : {}), ...(mfa ? { mfa } : {}) } },
      note: [
        "Only those that Curfew knows: the service cannot list its users.",
        ...(unknown > 0 ? [`It doesn't know the MFA of ${unknown === 1 ? "1 other" : `${unknown} others`}.`] : []),
      ].join(" "),
      whenEmpty: "Curfew learns them from the service's answers and its config file.",
      lines: (shown) => Promise.all(shown.map((user) => userLine(user, mfa !== undefined, context))),
    });
  },
});

async function userLine(user: Entity<"user">, saysSince: boolean, context: QueryContext): Promise<Line> {
  const { id, name, email, body } = user;
  const signedIn = instant(body.lastAccessDate);
  return {
    id,
    sign: body.status === "disabled" ? "off" : body.status === "enabled" ? "on" : "none",
    name: name ?? id,
    parts: [
      ...(body.status ? [body.status] : []),
      ...(email ? [email] : []),
      ...(body.mfaType ? [`MFA ${body.mfaType}`] : []),
      ...(saysSince ? [`as ${saidBy(await saidAt(user, "mfaType", context), context)}`] : []),
      ...(signedIn === undefined ? [] : [{ before: "last signed in ", at: signedIn }]),
      id,
    ],
    menu: [
      { label: "Show", words: "user show", opens: "result", input: { user: id } },
      ...userButtons(user, context).map((button) => ({ ...button, label: `${button.label}…` })),
    ],
  };
}

/** By the words of their name, e-mail address or id, and by their status as last known. */
async function usersWith(words: string, context: QueryContext): Promise<readonly Entity<"user">[]> {
  const all = words.split(/\s+/);
  const statuses = userStatuses.filter((status) => all.some((word) => word.toLowerCase() === status));
  const others = all.filter((word) => !statuses.some((status) => status === word.toLowerCase()));
  const found = await searchWords("user", others.join(" "), context);
  return found.filter(({ body }) => statuses.every((status) => body.status === status));
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
  const changes = await context.history({ about: aboutUser(user), limit: shownChanges });
  const [latest] = changes.filter(({ isDone }) => isDone);
  const asOf: Fact = {
    label: "As of",
    value: latest ? { at: latest.requestedAt } : "not known: no change was made through Curfew",
  };
  const facts = [...knownFacts(user), asOf, ...(await policyFacts(user, context))];
  const source = asks && user.body[asks] ? saidBy(await saidAt(user, asks, context), context) : undefined;
  return {
    title: asks ? shortAnswer(user, asks) : (user.name ?? user.id),
    note: source
      ? `As ${source}. It may be different now: the service has no read for users.`
      : "As last known: the service has no read for users.",
    items: [{ title: "", facts, buttons: userButtons(user, context) }, ...changes.map(changeLine)],
    buttons: changes.length < shownChanges ? [] : [historyButton(user)],
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

function knownFacts({ id, email, body }: Entity<"user">): readonly Fact[] {
  const signedIn = instant(body.lastAccessDate);
  return [
    { label: "Status", value: body.status ?? "not known" },
    { label: "MFA", value: body.mfaType ?? "not known" },
    { label: "E-mail", value: email ?? "not known" },
    ...(signedIn === undefined ? [] : [{ label: "Last signed in", value: { at: signedIn } }]),
    { label: "User", value: id },
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
  return context.may("DetachManagedPolicy", {}) ? [{ label: "Policies", value: "not known" }] : [];
}

/** The forms of what the requester may do to this account here. */
function userButtons({ id, body }: Entity<"user">, { may }: FillContext): readonly CommandButton[] {
  const form = (label: string, words: string): CommandButton => ({ label, words, opens: "form", input: { user: id } });
  const [toModify, toRemoveMfa, toDetach] = userOperations.map((operation) => may(operation, {}));
  return [
    ...(toModify && body.status !== "disabled" ? [form("Disable", "user disable")] : []),
    ...(toModify && body.status !== "enabled" ? [form("Enable", "user enable")] : []),
    ...(toRemoveMfa && body.mfaType !== "none" ? [form("Remove MFA", "user remove-mfa")] : []),
    ...(toModify ? [form("Change e-mail", "user email")] : []),
    ...(toDetach && body.managedPolicies?.length !== 0 ? [form("Detach policy", "user detach-policy")] : []),
    ...(toModify && toDetach ? [form("Offboard", "user offboard")] : []),
  ];
}

const historyButton = ({ id }: Entity<"user">): CommandButton => ({
  ...{ label: "History", words: "history", opens: "result", input: { which: `user ${id}` } },
});
