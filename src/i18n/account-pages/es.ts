import type { AccountPageMessages } from './en.ts'

/** The messages of the pages that the links in mails open in Spanish. */
export const es: AccountPageMessages = {
  'reset.title': 'Elija una nueva contraseña',
  'reset.lead':
    'Tiene al menos 8 caracteres. Después se cierra la sesión en todos los dispositivos.',
  'reset.password': 'Nueva contraseña',
  'reset.submit': 'Guardar la contraseña',
  'reset.done.title': 'Su contraseña ha cambiado',
  'reset.done.text': 'Ya puede iniciar sesión con ella.',
  'verify.title': 'Confirme su dirección',
  'verify.lead': '¿Quiere recibir los mensajes de {shop} en esta dirección?',
  'verify.submit': 'Confirmar',
  'verify.done.title': 'Gracias',
  'verify.done.text': 'Su dirección está confirmada.',
  'gone.title': 'Este enlace ya no funciona',
  'gone.text': 'Sirve una sola vez y por tiempo limitado. Pida un nuevo mensaje.',
  'failed.title': 'No ha funcionado',
  'failed.text': 'Inténtelo de nuevo en un momento.',
  close: 'Puede cerrar esta página.',
}
