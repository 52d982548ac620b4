// node ts_v1.mjs COMMAND [ARGUMENT...]: the TypeScript SDK of version 1, which most clients are built on.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { end, go } from './steps.mjs';

const [command, ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
const client = new Client({ name: 'outside', version: '1' });
await client.connect(transport);
const pid = transport.pid;
await go({
    client,
    call: (params, options) => client.callTool(params, undefined, options),
    changes: () =>
        new Promise((resolve) =>
            client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
        ),
    modern: () => false
});
await end(client, pid);
