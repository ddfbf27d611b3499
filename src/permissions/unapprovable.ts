import { operations } from "../service/operations.ts";
import { accountOperations, identityRuleLeft } from "./account-care.ts";
import { type Actor, isSamePerson } from "./actor.ts";
import { mayApprove } from "./approval-rules.ts";
import { budgetRules } from "./budgets.ts";
import { list } from "./config-values.ts";
import { type ApprovalRule, holdsRole, type Policy } from "./policy.ts";

/** What too few of these people could approve, rule by rule, in sentences. They are everybody who has a role. */
export function unapprovable(policy: Policy, people: readonly Actor[]): readonly string[] {
  const identity = identityRuleLeft(policy);
  return [...policy.approvals, ...budgetRules(policy), ...(identity ? [identity] : [])].flatMap((rule) => {
    const requesters = people.filter((actor) => mayRequest(policy, rule, actor));
    const could = distinct(people.filter((actor) => mayApprove(policy, actor, rule.approvers)));
    const isEnough = (...except: readonly Actor[]) =>
      could.filter((actor) => !except.some((other) => isSamePerson(actor, other))).length >= rule.count;
    const stuck = requesters.filter((actor) => !isEnough(actor));
    const others = requesters.filter((actor) => !stuck.includes(actor));
    const owners = isAboutAccounts(rule)
      ? people.filter((owner) => others.some((actor) => !isSamePerson(actor, owner) && !isEnough(actor, owner)))
      : [];
    return [
      ...(stuck.length > 0 ? [`${rule.rule}: too few could approve what ${names(stuck)} may ask for`] : []),
      ...(owners.length > 0 ? [`${rule.rule}: too few could approve a change of the account of ${names(owners)}`] : []),
    ];
  });
}

const isAboutAccounts = ({ operations: named }: ApprovalRule): boolean =>
  [...named].some((operation) => accountOperations.has(operation));

const mayRequest = ({ roles }: Policy, { operations: named }: ApprovalRule, actor: Actor): boolean =>
  roles.some(
    (role) =>
      holdsRole(actor, role) &&
      [...named].some((name) => operations[name].effect !== "read" && role.operations.has(name)),
  );

const distinct = (people: readonly Actor[]): readonly Actor[] =>
  people.filter((actor, index) => !people.slice(0, index).some((other) => isSamePerson(actor, other)));

const names = (people: readonly Actor[]): string =>
  list([...new Set(people.map(({ name, userId }) => `${name} (${userId})`))]);
