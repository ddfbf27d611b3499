import type { Sandbox } from "../../sandbox.ts";
import type { SandboxService } from "../../service/start-sandbox-service.ts";
import type { Workspace } from "../../workspace/start-workspace.ts";
import type { Switches } from "../wire.ts";

type ServiceFault = Exclude<Switches["service"], "other">;
type SlackFault = Exclude<Switches["slack"], "other">;

const always = Number.POSITIVE_INFINITY;
const slowMs = 4000;
const limitedCalls = 3;

/** The switch positions, derived from the planned faults. Faults planned by scripts show as `other`. */
export function switchesOf({ service, workspace }: Sandbox): Switches {
  return { service: serviceSwitch(service.faults), slack: slackSwitch(workspace.faults) };
}

function serviceSwitch({ isDown, planned }: SandboxService["faults"]): Switches["service"] {
  if (isDown) return "down";
  const kind = planned[0]?.fault.kind;
  if (kind === undefined) return "none";
  if (kind === "latency") return "slow";
  return kind === "reset-after" ? "lost" : "other";
}

function slackSwitch({ isDown, planned }: Workspace["faults"]): Switches["slack"] {
  if (isDown) return "down";
  const [first] = planned;
  if (first === undefined) return "none";
  return first.fault.retryAfterSeconds === undefined ? "other" : "limited";
}

/** Replaces all planned faults. */
export async function switchService({ faults }: SandboxService, fault: ServiceFault): Promise<void> {
  faults.clear();
  if (faults.isDown && fault !== "down") await faults.up();
  if (fault === "down" && !faults.isDown) await faults.down();
  if (fault === "slow") faults.next({ kind: "latency", ms: slowMs, times: always });
  if (fault === "lost") faults.next({ kind: "reset-after", isForChanges: true });
}

export function switchSlack({ faults }: Workspace, fault: SlackFault): void {
  faults.clear();
  if (fault === "down") faults.down();
  if (fault === "limited") faults.failNext("*", { retryAfterSeconds: 2, times: limitedCalls });
}
