import type { SandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service/client.ts";
import { createSignal } from "./signal.ts";

export interface GatedService {
  readonly client: ServiceClient;
  /** Resolves when a change is about to be sent. */
  readonly reached: Promise<void>;
  /** Releases it and all later changes. */
  open(): void;
}

/** A client whose changes wait at a gate. */
export function createGatedService(service: SandboxService): GatedService {
  const client = createServiceClient(service);
  const arrival = createSignal();
  const gate = createSignal();
  return {
    client: {
      ...client,
      send: async (operation, input) => {
        arrival.give();
        await gate.given;
        return client.send(operation, input);
      },
    },
    reached: arrival.given,
    open: gate.give,
  };
}
