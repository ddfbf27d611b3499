export const controlHelp = `Curfew's sandbox, for scripts. Only on this machine; everything but this text is JSON. For people, GET / is a page.

GET  /people                        who there is, and in which channels
GET  /messages?as=alice&in=ops      what a person sees there; without "in", everywhere ("dm": direct messages with the bot)
GET  /view?as=alice                 the form the person has open, or null
GET  /service                       exclusions (and which are in force), users and projects, as the embedded service has them
POST /act                           what a person does; answered when the bot has nothing more under way, with
                                    { messages: new or changed, view, options? }, or 409 { error } when it cannot be done
  {"as":"alice","in":"ops","type":"/curfew exclude i-0a1 for 2h"}
  {"as":"alice","fill":{"Reason":"demo"}}         {"as":"alice","submit":true}       {"as":"alice","cancel":true}
  {"as":"alice","suggest":{"label":"Project","query":"dev"}}
  {"as":"alice","press":"End","nth":1}            with "deny":true, no is answered to the question Slack asks first
POST /fault                         what goes wrong next, at the service or at Slack
  {"service":{"kind":"status","status":503,"operation":"CreateActionExclusion","times":1}}
    kinds: latency {ms}, refuse, reset-before, reset-after, status {status, retryAfterSeconds}, garbage {status}
  {"slack":{"method":"chat.postMessage","error":"not_in_channel"}}
    instead of error: status, retryAfterSeconds, reset; also delayMs, afterwards, times
  {"clear":true}
POST /clock                         moves the clock of service, workspace and bot forward; what falls due is done
  {"forward":"2h"}

curl -s 127.0.0.1:PORT/act -d '{"as":"alice","in":"ops","type":"/curfew help"}'
`;
