// What both TypeScript clients are asked to do; a line of JSON on standard output for each step.

export async function go({ client, call, changes, modern }) {
    let target;
    const need = (condition, words) => {
        if (!condition) throw new Error(words);
    };
    const result = async (name, args, options) => {
        const got = await call({ name, arguments: args }, options);
        need(!got.isError, JSON.stringify(got.content));
        return got;
    };
    const steps = {
        'lists the tools': async () => {
            const { tools } = await client.listTools();
            need(tools.some((tool) => tool.name === 'run_shell_command'), 'a tool is missing');
        },
        'makes a session': async () => {
            target = (await result('create_session', { name: 'work', command: ['sh'] })).structuredContent.panes[0];
        },
        'runs a command': async () => {
            const got = await result('run_shell_command', { pane: target.paneId, command: 'printf hello; exit 3' });
            need(got.structuredContent.exit_status === 3, JSON.stringify(got));
        },
        'hears of progress and goes on meanwhile': async () => {
            let began;
            const waits = new Promise((resolve) => (began = resolve));
            const found = result('wait_for', { target, patterns: ['<42>'] }, { onprogress: () => began() });
            await waits;
            await result('send_keys', { target, keys: ["echo '<'$((6 * 7))'>'", 'Enter'] });
            await found;
        },
        'is told what was wrong': async () => {
            const got = await call({ name: 'kill_pane', arguments: { target: { paneId: '%99', generation: '1:1' } } });
            need(got.isError && got.content[0].text.includes('stale_target'), JSON.stringify(got));
        },
        'gets a protocol error for an unknown tool': async () => {
            const error = await call({ name: 'no_such_tool', arguments: {} }).then(
                () => undefined,
                (caught) => caught
            );
            need(error?.code === -32602, String(error));
        },
        'reads resources': async () => {
            const { resources } = await client.listResources();
            need(resources.some((each) => each.uri === 'tmux://capabilities'), 'a resource is missing');
            const read = await client.readResource({ uri: `tmux://panes/${target.paneId}/content` });
            need(read.contents[0].text.includes('hello'), JSON.stringify(read));
        },
        'gets prompts': async () => {
            const got = await client.getPrompt({ name: 'diagnose_pane', arguments: { pane: target.paneId } });
            need(got.messages[0].content.text.includes(target.paneId), JSON.stringify(got));
        },
        'completes ids': async () => {
            const ref = { type: 'ref/prompt', name: 'diagnose_pane' };
            const got = await client.complete({ ref, argument: { name: 'pane', value: '%' } });
            need(got.completion.values.includes(target.paneId), JSON.stringify(got));
        },
        'hears of changes': async () => {
            const uri = `tmux://panes/${target.paneId}/content`;
            const heard = changes();
            if (modern()) await client.listen({ resourceSubscriptions: [uri] });
            else await client.subscribeResource({ uri });
            await result('send_keys', { target, keys: ['echo changed', 'Enter'] });
            need((await heard) === uri, 'another resource');
        },
        'gives up and goes on': async () => {
            const giveUp = new AbortController();
            setTimeout(() => giveUp.abort(), 200);
            const given = result('wait_for', { target, patterns: ['never'], seconds: 30 }, { signal: giveUp.signal });
            const how = await given.then(
                () => 'it ended',
                (error) => (giveUp.signal.aborted ? '' : String(error))
            );
            need(how === '', how);
            need((await result('list_panes', {})).structuredContent.total === 1, 'the pane is missing');
        }
    };
    for (const [name, step] of Object.entries(steps)) {
        let late;
        const limit = new Promise((_, reject) => (late = setTimeout(() => reject(new Error('40 s are over')), 40000)));
        const wrong = await Promise.race([step(), limit]).then(
            () => '',
            (error) => String(error?.message ?? error) || 'failed'
        );
        clearTimeout(late);
        console.log(JSON.stringify([name, wrong.slice(0, 300)]));
    }
}

/** Close, and see that the server's process is gone. */
export async function end(client, pid) {
    await client.close();
    let left = true;
    for (let tries = 0; left && tries < 100; tries++) {
        try {
            process.kill(pid, 0);
            await new Promise((resolve) => setTimeout(resolve, 50));
        } catch {
            left = false;
        }
    }
    console.log(JSON.stringify(['leaves no process', left ? `process ${pid} is still there` : '']));
}
