// node ts_v2.mjs legacy|auto|VERSION COMMAND [ARGUMENT...]: the TypeScript SDK of version 2, in one of its modes.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { end, go } from './steps.mjs';

const [mode, command, ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
const versionNegotiation = { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } };
const client = new Client({ name: 'outside', version: '1' }, { versionNegotiation });
await client.connect(transport);
const pid = transport.pid;
await go({
    client,
    call: (params, options) => client.callTool(params, options),
    changes: () =>
        new Promise((resolve) =>
            client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
        ),
    modern: () => mode !== 'legacy'
});
await end(client, pid);
