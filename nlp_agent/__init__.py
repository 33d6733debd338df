"""A player for the AIWolf Contest (Natural Language Division), and a table to sit at.

The rooms; each may import those above it that ``tests/test_rooms.py`` allows. Below each stand its modules, in an
order in which they can be read::

    protocol   packets <-> typed objects
               bounds words packet classic
    game       what one seat knows, the talks it has left among it; village rules; legal targets
               village state targets
    text       names, sentences, cleaning, fitting, anchors, counts: the single exit for words
               count model_habits names finder rules anchor answer calls comma_rules commas sentences words clean spare
               fit guard plausible turns language wrappings utterance streaming
    reading    talk -> statements -> ledger, the only owner of what was said
               sentence.tree rules sentence.grammar patterns shapes statement listener relevance spoken reader
               record ledger
               protocol
    belief     facts, odds, exact posterior over all assignments of roles
               constants fitted fitted_fusion table named odds posterior facts view assessment fusion belief
    planning   what a seat wants to do and say, without any model
               acts worlds advice story plan scene reasons sides whispers target_plan lies unanswered
               shown_odds advising context duties interests talk_plan strategy examples.crowd mind
               once sentences protocol
    voice      how a character speaks: persona, sheet, lines of the player without a model
               linebook persona lines sheet own_words
               protocol_lines
    prompting  language packs: words, lines and Jinja templates; a transcript that keeps to its budget
               problem prompt quote blocks official_data sections folders official view detect_language variables words
               transcript wording templates pack build sample unused sayings check conversation
    llm        one answer before the deadline, from any OpenAI-compatible endpoint, whatever fails on the way
               local_child lazy_packages bounded model reading dialect hedging response client failover failure
               retrying endpoint check local
    seat       one seat: packet in, at most one reply out; a turn asks its model, and again where it refuses the answer
               json_answers declaration timing opinion decision knowledge imitation guard pacing review log background
               binding advised own_strategy alarm setup character reading_along turn groupchat seat
               protocol_table
    net        websocket session; stamps every packet with its deadline, and drops an answer that is late
               gate screening stop connecting player model_news session stay watchdog
               link classic
    records    the journal of a seat, the summary of a game
               folders summary journal gamelog told steps library decisions decision_text
    arena      the local table: referee engine, views, server, the organisers' log formats
               choices limits lobby village events dealing report steps talking views board guests logs chat_inbox
               engine matches server
               classic_rules classic_game classic_views
               classic_server
    web        pages in the browser, which only read what others publish
               texts drawing pages feed door app runner game_list decision slow_work replay play_chair play_pages
               play_table play_view play_village play_words watch_pages watch_view
               journal_page templating
               monitor monitor_child
    app        config, wiring, and the command line: one file a command
               loading config_values config official leaks secrets config_file config_page
               measures.patterns measures.finished measures.contradictions measures.words
               wiring.casts wiring.models wiring.summaries wiring.strategies wiring.moments wiring.rehearsal
               wiring.ready_packs wiring.prompt_views wiring.onlooker wiring.insight wiring.team wiring.running
               wiring.tables wiring.web_tables wiring.web_app wiring.persons
               cli.plain cli.screen cli.logs cli.processes cli.results cli.journal cli.transcript cli.common
               cli.import_config cli.init cli.new_pack cli.stopping cli.run cli.serve cli.timing cli.evaluate_reading
               cli.evaluate cli.packs cli.duel cli.try_ cli.checks cli.render cli.voices cli.seating cli.check
               cli.judge cli.report cli.play cli.app
               cli.tournament cli.compare
               cli.replay
               wiring.opening cli.table wiring.sitting
               cli.journal_view cli.sit
               wiring.watching wiring.watch_page
               cli.commands_page pages
    lab        what measures the product and what breaks it; the product imports nothing of it
               bare clock scripted local row_files replies loopback quick_game prompt_cost first_words trace_turn bench
               replay_journal study.guesses study.statistics study.logs study.timing study.reading study.moments
               study.fit
               study.scoring study.evaluate study.judgements study.plain study.talker study.opponents study.duel
               study.voices study.fusing study.evaluating
               tournament.rows tournament.deals tournament.differences tournament.winning tournament.standings
               tournament.limits
               tournament.plan tournament.contestant_files tournament.results tournament.quick tournament.foreign
               tournament.at_table tournament.worker tournament.executors tournament.store tournament.run
               tournament.telling tournament.scoreboard
               tournament.pairing
               judge.criteria judge.games judge.sheet judge.verdict judge.pack judge.verdicts judge.spending judge.panel
               judge.agreement judge.bias judge.tables judge.telling judge.run judge.judging
               report.evidence report.looking report.gathering report.measures report.ratings report.drawing
               report.charts report.verdict report.glance report.worth report.sections report.page
               faults.faulty_endpoint faults.kinds faults.attacks faults.catalogue faults.hostile faults.endpoint
               faults.table faults.dropping faults.rewriting faults.hostile_tables faults.guests faults.journals
               faults.disturbances faults.own faults.trial faults.soak faults.telling
               watch_cost
               quick_classic classic_times dial_criteria bench_pages
               study.protocol_opponents study.protocol_duel study.dueling faults.classic faults.outcome
    deadline   until when a reply is needed, told once when its packet arrives
    errors     everything that can go wrong for a user, with what to do about it
    yamlfile   YAML files read strictly: unknown keys are refused with the nearest known one
"""

__version__ = "1.3.0"
