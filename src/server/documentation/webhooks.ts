const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** Returns the `webhooks` of the OpenAPI document: the deliveries of events. */
export const describeWebhooks = () => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Sends an event to the URL of a webhook (Standard Webhooks).',
      description:
        'Anything but 2xx within 15 seconds is sent again, for three days; the same event may arrive twice.',
      tags: ['Events'],
      parameters: [
        header('webhook-id', 'The ID of the event, the same in every attempt.'),
        header('webhook-timestamp', 'When it is sent, in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in Base64, for each valid secret, separated by spaces. The key is what follows `whsec_`, decoded from Base64.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
      },
      responses: { '2XX': { description: 'Received.' } },
      security: [],
    },
  },
})
