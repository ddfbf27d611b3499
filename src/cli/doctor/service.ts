import { accountKeyName } from "../../config/environment.ts";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { accountOf, mainAccount } from "../../service/account-ids.ts";
import { ofAccount } from "../../service/accounts.ts";
import { type ActedOn, actionsNamed } from "../../service/action-types.ts";
import { createServiceClient } from "../../service/client.ts";
import { browseOperation } from "../../service/operations.ts";
import type { Action } from "../../service/resources.ts";
import type { ServiceError } from "../../service/service-error.ts";
import type { ClockReading } from "../../slack/checks/check-client.ts";

const { ok, warning, failed } = checkResultsOf("service");

const timeoutMs = 10_000;

/** Calls ListActions once, to see whether an account of the service is reachable, accepts the key and lists the actions of `groups`. */
export async function checkService(
  service: { readonly baseUrl: string; readonly apiKey: string },
  groups: Groups,
  now: () => number,
  account = mainAccount,
): Promise<{ readonly results: readonly CheckResult[]; readonly reading: ClockReading | undefined }> {
  let reading: ClockReading | undefined;
  let tookMs = 0;
  const sentAt = now();
  const client = createServiceClient({
    ...service,
    retries: 0,
    attemptTimeoutMs: timeoutMs,
    onExchange: (_request, exchange, ms) => {
      tookMs = Math.round(ms);
      const saidAt = exchange.kind === "answered" ? Date.parse(exchange.headers.date ?? "") : Number.NaN;
      if (!Number.isNaN(saidAt)) reading = { sentAt, receivedAt: now(), saidAt };
    },
  });
  const result = await client.call(browseOperation, {});
  await client.close();
  const at = `${service.baseUrl}: `;
  if (result.kind !== "succeeded")
    return { results: [withCorrectUrl(explain(at, result.error), service.baseUrl)].map(namingOf(account)), reading };
  const listed = ofAccount(account, result.answer ?? []);
  const reached = ok(`${at}took the key and listed ${listed.length} actions in ${tookMs} ms`);
  return { results: [reached, ...checkGroupActions(groupsOf(account, groups), listed)], reading };
}

/** Names the settings of a further account in place of the variables of the main one. */
const namingOf =
  (account: string) =>
  (result: CheckResult): CheckResult => {
    if (account === mainAccount || result.whatToDo === undefined) return result;
    const whatToDo = result.whatToDo
      .replaceAll("SCHEDULER_BASE_URL", `accounts.${account}.url`)
      .replaceAll("SCHEDULER_API_KEY", accountKeyName(account));
    return { ...result, whatToDo };
  };

type Groups = Readonly<Record<string, ActedOn>>;

const groupsOf = (account: string, groups: Groups): Groups =>
  Object.fromEntries(Object.entries(groups).filter(([, { project }]) => accountOf(project) === account));

/** The names in `resourceGroups.<name>.actions`; nothing to report where there are none. */
function checkGroupActions(groups: Groups, listed: readonly Action[]): readonly CheckResult[] {
  const named = Object.entries(groups).flatMap(([name, group]) =>
    (group.actions ?? []).map((action) => ({ name, action, group })),
  );
  if (named.length === 0) return [];
  const { ok, warning } = checkResultsOf("group actions");
  const missing = named.filter(
    ({ action, group }) => actionsNamed({ ...group, actions: [action] }, listed).length === 0,
  );
  if (missing.length === 0) return [ok("the service lists every action that a resource group names")];
  const places = missing.map(({ name, action }) => `resourceGroups.${name}.actions: ${action}`);
  return [
    warning(
      `no action of the group's project and kind of resource has this id, name or tag:\n${places.join("\n")}`,
      "Correct the names, or remove them.",
    ),
  ];
}

/** By the status, else by the code. */
const adviceFor: Readonly<Record<string, string>> = {
  401: "The service does not know the key: put a valid access key into SCHEDULER_API_KEY.",
  403: "The service knows the key but does not let it list actions: give its user the rights, or take another key.",
  404: "Check that SCHEDULER_BASE_URL is the service's address, without /api.",
  Unreachable: "Check SCHEDULER_BASE_URL, the network, the proxy and the firewall.",
  ConnectionLost: "Check the network and any proxy between Curfew and the service, and try again.",
  TimedOut: "Check the network and the service, and try again.",
  Redirected: "Put the address it redirects to into SCHEDULER_BASE_URL, without /api.",
  UnreadableAnswer: "Check that SCHEDULER_BASE_URL is the service's address, without /api.",
};

function explain(at: string, { code, status, message }: ServiceError): CheckResult {
  const what = status === undefined ? `${at}${message}` : `${at}${status} ${code}: ${message}`;
  if (status === 429) return warning(what, "Too many requests. Wait, and check what else uses this key.");
  const known = adviceFor[status ?? ""] ?? adviceFor[code];
  return failed(what, known ?? "The service failed: try again, and inform those who run it.");
}

/** Every path begins with /api (API.md, "Operations"), so an address that ends in it too is wrong unless it works. */
function withCorrectUrl(result: CheckResult, baseUrl: string): CheckResult {
  const [, correct] = /^(.+?)\/+api\/*$/i.exec(baseUrl) ?? [];
  if (correct === undefined) return result;
  return {
    ...result,
    whatToDo: `Write SCHEDULER_BASE_URL=${correct}, since Curfew adds /api itself. Then run the check again.`,
  };
}
