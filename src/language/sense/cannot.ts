/** What people ask for and nobody can do here. */
export interface Cannot {
  readonly says: string;
  /** How it is said, from its verb on. */
  readonly order?: RegExp;
  /** How it is asked for without a verb, anywhere in a clause. */
  readonly said?: RegExp;
  /** `said` counts in a question too. */
  readonly isAsked?: boolean;
  readonly not?: RegExp;
  /** What was asked for is close to this command, for those who may not do even that. */
  readonly near?: string;
}

/** Shorthand in the patterns below. */
const parts: Readonly<Record<string, string>> = {
  /** Small words in front of a noun. */
  DET: "(?:(?:the|my|our|a|an|this|that|both|all|of|these|those|new|old|whole|entire|please|now|just|another|one|two|three|me|us|him|her|them|up|some|more|every|each|any|group|on|in|\\d+) ){0,5}",
  MACHINE:
    "(?:@machine(?: (?:machines?|servers?|box(?:es)?|instances?|group|vms?|databases?|dbs?|env|environment|nodes?|hosts?|ones?))?|@project|it|this|them|machines?|servers?|box(?:es)?|instances?|vms?|hosts?|nodes?|databases?|dbs?|environment|env|everything|cluster)(?! (?:exception|exclusion|hold|booking|reservation|window|slot|alert|warning|reminder|test|tests|job|run|series|backup|snapshot|from|off the|out)\\b)",
  JOB: "@(?:stop|start)?job",
  ANY: "(?:\\S+ ){0,8}?",
  /** What may follow the machines. */
  REST: "(?: (?:@time|please|pls|now|right now|immediately|asap|manually|again|back|to|because|so|this|right|at|already|early|up|down|urgently|quickly|once|for me|for us|and|straight|over|while|when|or)\\b|$)",
  HOLD: "I can hold machines out of their schedule.",
};

/**
 * What is answered, and below it what it answers: an order by how it is said from its verb on; what is said or asked, anywhere in a clause;
 * not where this is said too. Names stand as `@machine`, `@job`, `@person`, `@time` and so on, capitals for the parts above. What is for good
 * goes before what is for now.
 */
const table = String.raw`
I can't change schedules. I can hold machines out of a run, also every week, and skip a run.
  near exclude
  order (?:move|change|shift|set|put|reschedule|adjust|update|edit|modify|make|swap|bring|pull|push|restore|revert|reset|alter|delete|remove|create|add|fix|correct|turn) (?:back )?DET(?:JOB|schedule|timetable|(?:\S+ ){0,3}?(?:schedule|schedules|timetable|start time|stop time|(?:evening|nightly|night|morning|weekly|daily) (?:stop|start|shutdown|boot)|(?:stop|start|shutdown) of DET@machine))(?! (?:run|off|hold|exception)\b)(?: |$)
  said ^JOB (?:back |again )?(?:to|at|@time|->|goes|gets)(?: |$)|^JOB (?:should|must|shall|has to|have to|needs? to|ought to|is to)\b ANY(?:@time|back|earlier|later)(?: |$)|^restore @time|\b(?:stop|start|shut down|boot) ANYANY(?:permanently|for good|from now on)$
  not \b(?:skip|leave|omit|undo|not|warn|before|keep|hold|once|name|rename|off)\b

I can't reset or show passwords. For accounts I can unlock, enable, disable, and change the e-mail address.
  order (?:reset|change|set|renew|send|give|need|forgot) ANY(?:passwords?|pwd|pw|passcode)\b
  asked \b(?:passwords?|passwort|pwd|passcode|passphrase|paswords?|passwrd|pw)(?: |$)

I can't restart anything. HOLD
  order (?:(?:hard|soft|full|quick|force|clean|proper) )?(?:restart|reboot|bounce|power-?cycle|power cycle|re-start|relaunch|boot again)(?: |$)(?!(?:test|tests|needed|is|was|at all)\b)|(?:kick|reset|recycle) DET(?:@machine|machines?|servers?|box(?:es)?|vms?)$
  said \b(?:needs?|requires?|wants?|give|do|for) ANY(?:restart|reboot|power cycle)$|^@machine (?:restart|reboot)\b|\b(?:off and on again|off and back on)\b

I can't run tests, scripts or jobs on machines. HOLD
  order (?:run|execute|trigger|launch|kick off|rerun|re-run) DET(?!@)(?:\S+ ){0,3}(?:tests?|suites?|scripts?|jobs?|commands?|pipelines?|query|queries|migrations?|benchmarks?|playbooks?) (?:on|against|in|at) DET@machine
  not @until

I can't switch databases over. HOLD
  order (?:promote|demote|fail ?over|failover|fail-over|switch ?over|switchover)(?: |$)(?!(?:test|exercise|drill)\b)|(?:make|turn|switch) DET(?:@machine )?ANY(?:primary|master|leader|replica|standby)\b

I can't deploy or install anything. I can keep the machines running while you do.
  order (?:deploy|roll ?out|install|ship|push|release|publish) (?:version |release |build )?@time (?:to|on|onto|into|in)(?: |$)|(?:redeploy|deploy|install|reinstall|roll ?out|rollout|ship|upload|merge)(?: (?!(?:@time|at|is|was|on @time|tonight|today|weekend|day|window|in progress)\b)|$)
  order (?:roll|push|ship) (?:it|this|that|them|DET(?:version|release|build|branch)) out\b
  order (?:roll back|rollback|revert) DET(?:last |latest |previous )?(?:deploy|deployment|release|version)(?: |$)
  order (?:push|release|publish|roll back|rollback|copy|upload|transfer) ANY(?:to|on|onto|into) DET(?:@machine|@project|prod|production|live|master|main)\b
  not @until|\b(?:hold|exception|booking|policy|rename)\b
  order (?:patch|upgrade|update) DET(?:@machine|@project|os|kernel|software|agent|packages?|drivers?|java|python|postgres|nginx|app|image|firmware|windows|linux)\b

I can't run anything on machines. I can keep them up while you do.
  order (?:run|execute|trigger|launch|kick off|start) DET(?:\S+ )?(?:tests?|script|scripts|command|pipeline|pipelines|migration|migrations|query|playbook|cron|cronjob|build job|ci|import|export|etl|load test|smoke tests?)\b
  order (?:kill|stop|end|restart|quit|terminate) ANY(?:process|processes|pid|daemon|query|queries|service|services|container|tomcat|java|nginx|apache)(?: |$)

I can't show or change prices. I can show how many hours are held, and hold machines off to save money.
  order (?:move|switch|put|migrate|change|convert|set) ANY(?:spot|on-demand|reserved) (?:prices?|pricing|instances?|machines?|capacity|rates?)\b
  order (?:set|change|lower|raise|cut|reduce|negotiate|adjust|update|correct|enter|edit|make|put|increase|decrease|get|find|give|drop|halve|haggle|bring) ANY(?:prices?|rates?|costs?|cheaper rate|@project cheaper|production cheaper|tariffs?|discounts?|hourly rate|spend|bill|pricing)\b
  not @until|\b(?:because|since|warn|anyone|who)\b

I can't change the size or number of machines or disks. HOLD
  order (?:resize|upsize|downsize|scale|rescale|autoscale|enlarge|grow|shrink|expand|double|halve)(?: |$)
  not @person|\b(?:exception|hold|window|slot|booking|my|(?<!@)time)\b
  order (?:add|give|attach|increase|extend|raise|bump|need|want|get|put|have|allocate|provide|mount|change|set|make|switch|move|downgrade|upgrade|assign|use) ANY(?:disk|disks|storage|ram|memory|vcpus?|cpus?|cores?|gb|tb|gib|\d+(?:gb|g|tb)|disc|iops|swap space|instance (?:size|type|class)|volume size|bigger|larger|smaller|cheaper|beefier|faster|size|autoscaling)\b
  not \b(?:swap|full|bigger (?:window|slot)|demo|test|tests|exception)\b

I can't buy or reserve anything at the provider. HOLD
  order (?:buy|purchase|procure|rent|lease)(?: |$)(?!time)|(?:order|reserve|book|get|need) ANY(?:reserved instances?|savings plans?|spot (?:instances?|capacity)|capacity|licen[cs]es?|domain|hardware|laptop|(?:new )?phone for|seats?|pizza|lunch|meeting room|a room)\b

I don't know what anything costs. I can show how many hours are held.
  asked \b(?:what|how much|how many|which|whats|what's|show|list|tell|give|calculate|estimate|compare)\b ANY(?:costs?|costing|euros?|eur|dollars?|usd|\$|€|pounds?|pay|paid|paying|prices?|bill|invoice|invoices|spend|spent|spending|charged?|tco|savings?)(?: |$|\?)
  not \b(?:why|budget|until)\b

I can't send mails. I answer here, and I can warn you here before machines stop.
  order (?:mail|email|e-mail|fax|text|sms) (?:me|us|him|her|them|@person|it|this|that|the|a|an|everyone|everybody|all|my|our|to)\b
  not @address|\b(?:is|was|address|adress)\b

I can't send mails or make reports. I can list here what is held, planned or changed.
  order (?:send|mail|email|export|print|forward|generate|create|write|make|produce|prepare|compile|draw|build|get|need|give|schedule|want) (?!@machine)ANY(?:reports?|pdf|csv|excel|xlsx?|spreadsheet|e-?mails?|mail|sms|invoice|charts?|graphs?|dashboards?|newsletter|slides?|powerpoint|statistics)(?: |$)
  not @address|JOB|\b(?:address|adress|adr|until|till|til|up|keep|hold|exclude|warn|warning|alert)\b

I remind whoever holds something before it ends anyway, and at no other time. I can warn you before machines stop.
  order (?:warn|remind|ping|tell|notify|alert|inform|poke|nudge|message) (?:me|us)\b ANY(?:hold|holds|exception|exclusion|booking|reservation|window|slot)\b ANY(?:ends?|ending|expires?|expiring|runs? out|is over|up)(?: |$)

I can't set warnings for a channel here. They are in the config, which those who run Curfew change. I can warn you.
  order (?:warn|remind|ping|notify|alert|inform|message|tell) (?:<#\S+|#\S+|DETchannel)

I can't call or write to anybody else. I answer here, and warn those here who ask for it themselves.
  order (?:give|send|drop) (?:@person|the team|everyone|everybody|them|her|him)(?: and @person)? (?:a |an |some )?(?:heads?-?up|note|warning|reminder|ping|message|notice|alert|shout)
  order (?:call|phone|ring|text|sms|dm|page|contact|message|write|tell|warn|inform|notify|remind|ping|write to|talk to|speak to|ask|shout at|invite|say to|say hello to|alert) (?:up )?(?:@person|the team|the customer|customers|everyone|everybody|the users|them|her|him|the others|somebody|someone|engineers|@engineers|support|the help ?desk|on-?call|the channel)(?: |$)|page (?!me\b|us\b)\S+$
  not \b(?:i|we|i'll|i'd|we'll) (?:\S+ ){0,3}(?:call|ring|phone|talk|speak|write|ask|tell)\b|\b(?:name|rename|to allow|to approve|for approval|permission|hold|whether|keep)\b|@person @

I can't change anything in the network. I can care for accounts and the times of machines.
  order (?:open|close|block|unblock|allow|whitelist|allowlist|blacklist|add|change|update|set|point|create|configure|fix|renew|forward|enable|disable|edit|remove|restrict|ban|reroute|route|move|flush) ANY(?:ports?|port \d+|firewalls?|fw|ip|ips|ip address|dns|cname|domain|subdomain|vpn|security groups?|load ?balancer|certificates?|certs?|ssl|tls|routes?|subnet|network|proxy|traffic|\d+\.\d+\.\d+\.\d+\S*)(?: |$)

I can't log in to machines or accounts. I can show what I know about them.
  order (?:log ?in|login|log ?on|logon|sign ?in|sign ?on|connect|telnet|remote|log|sign|enter)(?: (?:me|us|yourself))?(?: (?:in|on))?(?: (?:into|to|2|on|onto|as|with|via|@machine)\b(?! @time)|$)|(?:get|go|jump|hop) (?:in ?to|onto|on|to) DET@machine and\b
  not \b(?:can't|cannot|cant|keep|hold|(?<!@)until|off|out)\b
  order (?:open|start|get|give|need|want) ANY(?:shell|terminal|console|ssh|rdp)(?: |$)
  order (?:ssh|rdp)(?: |$)|(?:tail|grep|cat|vi|sudo|curl|kill -9|rm|systemctl|docker|kubectl|df|top|ls)(?: |$)

I can't read logs or measurements of machines. I can show when they run, and what was changed.
  asked \b(?:tail|read|check|show|look|see|send|fetch|get|pull|download|find|search|what|what's|whats|how|is|are|give|open|analy[sz]e|monitor|watch|any)\b ANY(?:syslog|logfiles?|log files?|(?:error|server|system|application|app|access|nginx|kernel) logs?|logs|metrics|cpu|ram usage|memory usage|disk usage|disk (?:is )?full|free space|disk space|cpu load|grafana|uptime|latency|stack ?trace|core dump|response times?|processes|error rate)(?: |$|\?)
  not \b(?:audit|activity|change|event|your|until|keep|hold|up|who|changed)\b

I can't set up a second factor. I can remove one, so that its owner sets up another.
  order (?:make|create|set up|setup|register|enroll|issue|generate|add) ANY(?:mfa|2fa|second factor|authenticator|qr code)(?: |$)
  not \b(?:remove|reset|off|unlock|sure|because)\b|@time

I can't create accounts or give access. I can care for the accounts that exist.
  order (?:create|add|make|set up|setup|set|register|onboard|open|provision|order|need|get|give|prepare|sign up|enroll|want|invite|have|clone|arrange) ANY(?:accounts?|acct|acc|users?|logins?|profile|access|onboarding)(?: |$)
  asked \b(?:new|another) (?:account|acct|user|login) (?:for|4)\b|\bneeds? ANY(?:new )?(?:account|acct|login)(?: |$)
  not @address|\b(?:mfa|2fa|phone|off|disable|disabled|enable|enabled|reset|unlock|unlocked|rename|email|mail|back|again|disable|remove|list|history|changes|keep|detach|delete|engineer|viewer|admin|approver)\b|@machine|who 
  asked \bnew (?:\S+ )?(?:teammate|colleague|employee|starter|joiner|hire|intern|trainee|contractor|student|member)s?\b ANYANYANY(?:account|accounts|acct|login|access)\b
  not @address|\b(?:mfa|2fa|phone|off|disabled?|enabled?|reset|unlock|email|mail|back|again|old|remove|list|history|keep|detach|delete)\b|@machine
  asked \b(?:lay|create|add|set|open|please) ANY(?:a|another|one) (?:new|additional|second|extra) (?:user|account|acct|login)\b
  not @address|\b(?:has|have|needs?|disabled?|enabled?|reset|unlock|back|remove|list|history|keep|detach|delete)\b|@machine
  order new (?:user|account|login|employee|starter|colleague|hire) (?!who|for mfa)|(?:onboard|hire|invite|sign up|enroll)(?: |$)(?!ANY(?:mfa|2fa|phone|token)\b)

I can't create or remove machines. HOLD
  order (?:create|spin up|provision|launch|add|order|set up|setup|clone|duplicate|spawn|make|need|want|get|give|deploy|build|start|fire up) (?!@machine)ANY(?:new|another|additional|extra|second|third|fourth|fresh|temporary|temp|one more|more|\d+|two|three|test) (?:\S+ ){0,3}?(?:machines?|servers?|instances?|vms?|nodes?|box|boxes|replicas?|database|db|cluster|clusters|volumes?|environment|bucket|container|workers?)(?: |$)
  not \b(?:up until|keep|hold|group|rename|warn|until|till|running|stay|hours?|phone)\b|@time
  order delete DET@machine(?! (?:hold|exception|exclusion|booking|reservation|series|warning|alert|reminder|window|slot|group|from|mfa))\b
  not @project|\b(?:hold|holds|exception|exclusion|booking|reservation|series|warning|group|selector)\b
  order (?:terminate|destroy|decommission|tear down|wipe|format|nuke|scrap|dispose) DET(?:@machine|machines?|servers?|instances?|vms?|volumes?|database|db|environment)(?! (?:hold|exception|exclusion|from|mfa))

I can't restore backups. I can show when they are made.
  order (?:restore|recover|roll back|rollback|rewind|bring back|reset|load|import|undelete) ANY(?:from ANY(?:backups?|snapshots?|@time|dump)|to the (?:state|snapshot|backup)|backups?|snapshots?|data|tables?|files?|database|databases|db|dbs|volume|dump)(?: |$)
  said \brestore @machine\b
  not \b(?:hold|exception|exclusion|schedule|normal|usual|access|account)\b

I can't run backups now. They run by their schedule.
  order (?:back ?up|snapshot|snap|dump|archive)(?: (?:DET(?:@machine|@project|database|databases|db|dbs|volumes?|everything|disks?|it|now)|right now)\b|$)|(?:take|make|create|do|run|trigger|start|pull|need|want|give|kick off|launch|perform) ANY(?:backup|backups|snapshot|snapshots|dump|snap|@backup)(?: (?!(?:window|test|server|list|time|times|job)\b)|$)
  not \b(?:skip|leave|omit|without|no|not|until|when|next|keep|warn|before|list|hold|exception)\b

I can't attach policies or give rights. I can only detach policies.
  order (?:make|set|turn|promote|put|change|switch|let) (?:@person|@person's|me|him|her|us|them|my|someone|somebody|DET(?:account|user|team)) ANY(?:admin|admins|administrator|engineer|engineers|viewer|approver|superuser|root|help ?desk)(?: |$)
  order (?:let|allow|permit|authori[sz]e) (?!us |me )ANY(?:engineers?|viewers?|team|people|everyone|everybody|colleagues?|guests?|@person|them) ANY(?:hold|keep|approve|exclude|book|extend|decide|disable|rename)\b
  said @person (?:becomes|gets|needs|receives|should have|should get|wants|must have|must get|requires) (?:\S+ ){0,4}?@policy
  asked \bbecome (?:an? )?(?:engineer|admin|administrator|approver|viewer|member)\b
  not \b(?:off|away|detach|revoke|rid|remove|strip|mfa|not|no|anymore|any more)\b|@machine
  order (?:attach|assign|give|grant|add|put|make|promote|apply|provide|elevate|need|want|get|let) ANY(?:@policy|polic(?:y|ies)|permissions?|rights|admin|admins|administrators?|roles?|privileges|root|superuser|sudo|owner)(?: |$)
  not \b(?:off|away|detach|revoke|rid|remove|strip|list|show|who|mfa|2fa|rename|without|from)\b|@machine|@time

I can't rename plans, groups, machines or policies. I can rename projects, selectors and credentials.
  order (?:rename|retitle|relabel|name|label|call) DET(?:(?:plan|group|job|action|schedule|policy|account|user|machine) ){0,2}(?:@plan|@policy|JOB)(?: |$)|(?:rename|retitle|relabel) DET(?:plan|group|machine|account|user|policy|job|action|@machine|@person)\b(?! (?:hold|exception|exclusion))
  said (?:@plan|@policy) ANY(?:becomes|gets a new (?:title|name)|should be called|be renamed|is called .* now)\b

I can't change plans. I can show them, and change which machines a selector covers.
  order (?:point|attach|switch|move|link|connect|assign|apply|use|set|change|replace|swap|let|make|put) ANY@plan ANY@selector\b
  order (?:point|attach|switch|move|link|connect|assign|apply|use|set|change|replace|swap|put) ANY@selector ANY@plan\b

I can't rotate or show keys. I can list, rename and delete credentials.
  order (?:rotate|renew|regenerate|reissue|replace|roll|cycle|recreate|generate|revoke|reveal) ANY(?:keys?|secrets?|secret key|access keys?|api keys?|@key|credentials?|tokens?)(?: |$)|(?:download|export|show me|print|send me) ANY(?:keys?|secrets?|secret key|access keys?|api keys?|tokens?)(?: |$)
  not \b(?:mfa|2fa|otp|authenticator|what|which|list|rename|name|called|phone|overview)\b|@person

I can't hand a hold over to somebody else. They can make one of their own.
  order (?:hand|hand over|transfer|pass|pass on|assign|reassign|sign over|move|change) ANY(?:exception|exclusion|hold|booking|reservation|slot|series|owner(?:ship)?|@machine|it|this|that|request) (?:over |on )?(?:to|over to|into) (?:the name of )?@person|give (?:@person|him|her|them) DET(?:@machine |@person's )?(?:exception|exclusion|hold|booking|reservation|slot)\b
  said \bmake @person (?:the )?(?:new )?owner\b

I can't change the calendar of holidays. I can show it, and skip the runs of one day.
  order (?:add|enter|put|create|set|remove|delete|insert|mark|declare|make) ANY(?:holidays?|bank holiday|calendar|day off)(?: |$)
  not @machine|\b(?:keep|skip)\b

I can't change limits or budgets. I can show what is used, and ask for what is longer than you may hold.
  order (?:raise|increase|change|lift|set|reset|bump|extend|double|up|lower|adjust|give|add) ANY(?:budgets?|limits?|quotas?|allowance|cap|40 ?h|40 hours)(?: |$)
  not @machine|JOB

I can't start machines now. They start by their schedule. I can hold them up while they run.
  near exclude
  order (?:start|boot|launch|wake|fire up|power on|power up|turn on|switch on|turn back on|spin up|bring up|start up|boot up|wake up|bring back|activate) DETMACHINEREST|(?:turn|switch|power|bring|put|get|fire|spin|wake|start|boot) DETMACHINE (?:both )?(?:back )?(?:on|up|online|running)\b|@startjob (?:now|right|immediately|asap|manually|early|again|please|pls|at once)\b
  not @until|\b(?:mfa|account|login|warn|instead)\b|@person

I can't stop machines now. They stop by their schedule. I can end what holds them up.
  near exclude
  order (?:stop|shut|halt|kill|turn off|switch off|power off|power down|take down|bring down|shut down|shut off|shutdown|poweroff|suspend|pause|hibernate|deactivate) DETMACHINEREST|(?:turn|switch|power|take|bring|pull|put|shut|get|send|cut) DETMACHINE (?:both )?(?:off|down|offline|to sleep|to bed)\b|cut DETMACHINE (?:off|now|right now|immediately|at once)\b|@stopjob (?:now|right|immediately|asap|manually|early|again|please|pls|at once)\b
  not @until|\b(?:mfa|account|login|warn|warning|hold|exception|booking)\b|@person

I can't run a job now. Jobs run by their schedule. I can skip a run, and show the next one.
  order (?:run|trigger|execute|force|start|kick off|launch|repeat|rerun|re-run|fire) DETJOB(?: |$)|JOB (?:now|right|asap|immediately|manually|early|at once|again)\b
  not @until|\b(?:not|without|skip)\b
`;

const written = (text: string): string =>
  Object.entries(parts).reduce((said, [name, part]) => said.replaceAll(name, part), text);

/** Read when the first line is. */
export function readCannots(): readonly Cannot[] {
  const found: Cannot[] = [];
  let says = "";
  let row: Record<string, string> = {};
  const end = () => {
    const { order, said = row.asked, not, near } = row;
    if (order !== undefined || said !== undefined)
      found.push({
        ...{ says, isAsked: row.asked !== undefined },
        ...(near === undefined ? {} : { near }),
        ...(order === undefined ? {} : { order: new RegExp(`^(?:${order})`) }),
        ...(said === undefined ? {} : { said: new RegExp(said) }),
        ...(not === undefined ? {} : { not: new RegExp(not) }),
      });
    row = {};
  };
  for (const line of [...written(table).split("\n"), ""]) {
    const [, key, pattern = ""] = /^ {2}(\w+) (.*)$/.exec(line) ?? [];
    if (key === undefined || key in row) end();
    if (key !== undefined) row[key] = pattern;
    else if (line !== "") says = line;
  }
  return found;
}
