import { commandOf } from "../../commands/catalogue.ts";
import type { NeededApproval } from "../../permissions/account-care.ts";
import type { Actor } from "../../permissions/actor.ts";
import { whoCould } from "../../permissions/decide.ts";
import { isSamePerson } from "../../permissions/same-person.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { changeTargets } from "../authorize/change-targets.ts";
import type { Denied } from "../authorize/decide-change.ts";
import { occurrenceOf, type ServiceChange } from "../change.ts";
import type { ChangePorts } from "../ports.ts";
import { type ApproverPorts, isOfOwnAccount, whyNotApprover } from "./who-may-approve.ts";

type Ports = ApproverPorts & Pick<ChangePorts, "people" | "now">;

/** Larger roles have somebody. */
const maxLookedAt = 50;
const atATime = 5;

/**
 * Why a new request would wait for approvals that too few people could give. Asks Slack who has the roles. Undefined where enough could,
 * and where Slack does not say: approvers are checked again when they approve.
 */
export async function whyTooFew(
  ports: Ports,
  change: ServiceChange,
  needed: NeededApproval,
  requester: Actor,
): Promise<Denied | undefined> {
  const looked = await lookAtApprovers(ports, change, needed.count).catch((error: unknown) => {
    ports.log.warn({ err: error }, "could not look who may approve a change; it is looked at when they approve");
    return "enough" as const;
  });
  return looked === "enough" ? undefined : refusal(ports, change, needed, requester, looked);
}

interface Looked {
  readonly could: readonly Actor[];
  readonly others: readonly Actor[];
}

async function lookAtApprovers(ports: Ports, change: ServiceChange, count: number): Promise<Looked | "enough"> {
  const members = (change.approval?.approvers ?? []).flatMap((holder) => holder.members);
  const ids = [...new Set((await Promise.all(members.map(ports.people.idsIn))).flat())];
  const could: Actor[] = [];
  const others: Actor[] = [];
  for (let index = 0; index < ids.length; index += atATime) {
    if (index >= maxLookedAt) return "enough";
    const people = await Promise.all(ids.slice(index, index + atATime).map((id) => ports.people.find(id)));
    for (const actor of people.flatMap((each) => each ?? [])) {
      if (await whyNotApprover(ports, change, actor, "approved")) others.push(actor);
      else if (!could.some((other) => isSamePerson(other, actor))) could.push(actor);
      if (could.length >= count) return "enough";
    }
  }
  return { could, others };
}

async function refusal(
  ports: Ports,
  change: ServiceChange,
  { rule, approvers, count, because = [], coolsOffAt, except = [] }: NeededApproval,
  requester: Actor,
  { could, others }: Looked,
): Promise<Denied> {
  const { now } = ports;
  const isOwn = await isOfOwnAccount(ports, change, requester);
  const whyNot = async (actor: Actor): Promise<string> => {
    if (isSamePerson(actor, requester))
      return isOwn ? "It is your own account." : "You can't approve what you ask for.";
    if (await isOfOwnAccount(ports, change, actor)) return `${actor.name} can't approve a change of their own account.`;
    const isLeftOut = except.some(({ userId }) => userId === actor.userId);
    return isLeftOut
      ? `${actor.name} asked for or approved the other change.`
      : `${actor.name} can't approve it at present.`;
  };
  const roles = approvers.map((role) => `“${role}”`).join(" or ");
  const couldDo = mayApproveForOthers(others, requester, except) && !isOwn && could.length + 1 >= count;
  const { operation, channelId, subjectId, requestedAt: asked } = change;
  const command = commandOf(change.words);
  const target =
    couldDo && command?.kind === "change"
      ? (await changeTargets(command, occurrenceOf(change), { subjectId, now: asked, directory: ports.directory }))
          .own[0]
      : {};
  const { policy } = ports.settings();
  const whom = couldDo ? whoCould(policy, { actor: requester, operation, channelId, ...target }) : [];
  const parts = [
    `This needs ${count === 1 ? "the approval" : `${count} approvals`} of ${roles}, and ${howMany(could)}.`,
    ...new Set(await Promise.all(others.slice(0, shownPeople).map(whyNot))),
    ...because,
    ...(coolsOffAt === undefined ? [] : [`Wait until ${shortMoment(coolsOffAt, requester.timeZone, now())}.`]),
    ...(whom.length > 0 ? ["Somebody else can ask for it, and you approve it."] : []),
    `Or ask the people who run Curfew for more approvers. They can give ${roles} to others, or change what needs an approval.`,
  ];
  return { kind: "denied", reason: parts.join(" "), rule, couldDo: whom, isToAsk: true };
}

const shownPeople = 3;

/** Whether the requester would be an approver, had somebody else asked for it. */
const mayApproveForOthers = (others: readonly Actor[], requester: Actor, except: NeededApproval["except"]): boolean =>
  others.some(({ userId }) => userId === requester.userId) &&
  !except?.some(({ userId }) => userId === requester.userId);

const howMany = (could: readonly Actor[]): string =>
  could.length === 0 ? "nobody could give it" : `only ${could.map(({ name }) => name).join(" and ")} could give one`;
