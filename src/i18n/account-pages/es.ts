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
  'verify.lead':
    '¿Creó usted una cuenta en {shop} con esta dirección? La cuenta recibirá sus mensajes y mostrará los pedidos hechos con esta dirección.',
  'verify.submit': 'Confirmar',
  'proof.password': 'Contraseña de la cuenta',
  'proof.wrong': 'Es incorrecta.',
  'verify.done.title': 'Gracias',
  'verify.done.text': 'Su dirección está confirmada.',
  'disown.title': '¿No se ha registrado?',
  'disown.lead':
    'Alguien ha dado esta dirección a una cuenta de {shop}. Esto retira la dirección de la cuenta y termina todo lo que se creó en ella: sesiones, claves de API y webhooks.',
  'disown.submit': 'No me he registrado',
  'disown.done.title': 'Su dirección está libre',
  'disown.done.text': 'Ninguna cuenta de {shop} la usa ya.',
  'undo.title': 'Deshacer el cambio de su dirección',
  'undo.lead':
    'Su cuenta en {shop} recupera esta dirección. Terminan todas las sesiones, las claves de API y la contraseña; después elegirá una contraseña nueva.',
  'undo.submit': 'Deshacer el cambio',
  'undo.done.title': 'Su dirección se ha restablecido',
  'undo.done.text': 'Pida ahora una contraseña nueva con esta dirección.',
  'gone.title': 'Este enlace ya no funciona',
  'gone.text': 'Sirve una sola vez y por tiempo limitado. Pida un nuevo mensaje.',
  'failed.title': 'No ha funcionado',
  'failed.text': 'Inténtelo de nuevo en un momento.',
  close: 'Puede cerrar esta página.',
}
