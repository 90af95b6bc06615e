import type { SandboxMessages } from './en.ts'

/** The messages of the page of the payment sandbox in Spanish. */
export const es: SandboxMessages = {
  'ask.title': 'Confirme su pago',
  'ask.lead': 'Su banco quiere asegurarse de que es usted.',
  'ask.amount': 'Importe',
  'ask.approve': 'Aprobar',
  'ask.refuse': 'Rechazar',
  'approved.title': 'Pago aprobado',
  'approved.text': 'Gracias. El pago se ha realizado.',
  'declined.title': 'Pago rechazado',
  'declined.text': 'No se le ha cobrado nada. Puede probar otra tarjeta en la tienda.',
  'cancelled.title': 'Pago cancelado',
  'cancelled.text': 'Este pago se ha cancelado. No se le ha cobrado nada.',
  'unknown.title': 'Página no encontrada',
  'unknown.text': 'La dirección es incorrecta o el pago terminó hace tiempo.',
  'failed.title': 'No ha funcionado',
  'failed.text': 'Vuelva a abrir la página dentro de un momento.',
  'foreign.text': 'La solicitud no procedía de esta página. Ábrala de nuevo y decida allí.',
  return: 'Volver a la tienda',
  close: 'Puede cerrar esta página.',
  sandbox: 'Este es un banco de pruebas: no se mueve dinero.',
}
