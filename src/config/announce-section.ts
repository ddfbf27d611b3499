import { z } from "zod";
import { channelId, namedOperations, operationEntry } from "../permissions/config-values.ts";

/** What others changed in the service, which is no operation of Curfew. */
const elsewhere = "elsewhere";

/** The `announce` section of curfew.yaml. */
export const announceSchema = z.array(
  z
    .strictObject({
      operations: z.array(operationEntry(elsewhere)).min(1, "must name at least one operation"),
      channel: channelId,
    })
    .transform(({ operations, channel }) => ({
      operations: namedOperations(operations.filter((entry) => entry !== elsewhere)),
      isElsewhere: operations.includes(elsewhere),
      channel,
    })),
);
