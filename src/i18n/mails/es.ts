import type { MailMessages } from './en.ts'

/** The messages of mails in Spanish. */
export const es: MailMessages = {
  greeting: 'Hola, {name}:',
  greeting_unnamed: 'Hola:',
  'confirmation.subject': 'Pedido {order} confirmado',
  'confirmation.title': 'Gracias por su pedido',
  'confirmation.text':
    'Hemos recibido su pedido y lo estamos preparando. Le avisaremos cuando salga.',
  'shipped.subject': 'El pedido {order} está en camino',
  'shipped.title': 'Su pedido está en camino',
  'shipped.text': 'Su pedido ya ha salido y va hacia usted.',
  'shipped.track': 'Seguir el paquete',
  'shipped.carrier': 'Transportista',
  'shipped.number': 'Número de seguimiento',
  'part.subject': 'Parte del pedido {order} está en camino',
  'part.title': 'Parte de su pedido está en camino',
  'part.text': 'Estos artículos ya han salido y van hacia usted.',
  'pickup.subject': 'El pedido {order} está listo',
  'pickup.title': 'Su pedido está listo',
  'pickup.text': 'Ya puede recoger su pedido.',
  'refunded.subject': 'Reembolso del pedido {order}',
  'refunded.title': 'Su dinero está en camino',
  'refunded.text':
    'Le hemos devuelto dinero de su pedido. Según su banco, puede tardar unos días en llegar.',
  'refunded.amount': 'Devuelto de este pedido',
  'cancelled.subject': 'El pedido {order} se ha cancelado',
  'cancelled.title': 'Su pedido se ha cancelado',
  'cancelled.text':
    'Aún no estaba pagado, y otro comprador necesitaba unidades que reservaba. No ha pagado nada. Puede volver a pedir lo que haya en existencias.',
  'displaced.subject': 'El pedido {order} se ha cancelado',
  'displaced.title': 'Su pedido se ha cancelado',
  'displaced.text':
    'Aún no estaba pagado, y otro comprador necesitaba el descuento que reservaba. No ha pagado nada. Puede volver a pedir, también sin el descuento.',
  'return_requested.subject': 'Su devolución del pedido {order}',
  'return_requested.title': 'Hemos recibido su solicitud',
  'return_requested.text':
    'Quiere devolver estos artículos. Lo revisamos y le escribimos; consérvelos hasta entonces.',
  'return_approved.subject': 'Su devolución del pedido {order} está aprobada',
  'return_approved.title': 'Envíenos estos artículos',
  'return_approved.text':
    'Aceptamos la devolución de estos artículos. Embálelos bien y envíenoslos.',
  'return_rejected.subject': 'Su devolución del pedido {order}',
  'return_rejected.title': 'No podemos aceptar la devolución',
  'return_rejected.text': 'Hemos revisado su solicitud y no podemos aceptarla.',
  'return_received.subject': 'Su devolución del pedido {order} ha llegado',
  'return_received.title': 'Sus artículos han llegado',
  'return_received.text': 'Estos artículos están de nuevo con nosotros.',
  'withdrawal_confirmed.subject': 'Su desistimiento del pedido {order}',
  'withdrawal_confirmed.title': 'Hemos recibido su desistimiento',
  'withdrawal_confirmed.text':
    'Ha desistido del contrato para estos artículos. Este mensaje confirma lo que declaró y cuándo.',
  'withdrawal_confirmed.received': 'Recibido',
  'withdrawal_confirmed.by': 'Declarado por',
  'return.reply': 'Nuestra respuesta',
  'reset.subject': 'Elija una nueva contraseña',
  'reset.title': 'Elija una nueva contraseña',
  'reset.text':
    'Alguien ha pedido una nueva contraseña para su cuenta en {shop}. Si ha sido usted, elíjala ahora. El enlace sirve una sola vez y durante una hora.',
  'reset.button': 'Elegir contraseña',
  'reset.ignore': 'Si no ha sido usted, ignore este mensaje: su contraseña no cambia.',
  'verify.subject': 'Confirme su correo electrónico',
  'verify.title': '¿Es esta su dirección?',
  'verify.text':
    'Se creó una cuenta en {shop} con su dirección. Si fue usted, confírmela: la cuenta recibirá sus mensajes y mostrará los pedidos hechos con esta dirección. Si no fue usted, no la confirme. El enlace sirve durante tres días.',
  'verify.button': 'Confirmar la dirección',
  'verify.disown': '¿No se ha registrado en {shop}? Retire aquí su dirección de la cuenta:',
  'verify.ignore': 'Si no tiene una cuenta en {shop}, ignore este mensaje.',
  'moved.subject': 'Se ha cambiado su correo electrónico',
  'moved.text':
    'El correo electrónico de su cuenta en {shop} se cambió el {time}. Este mensaje se envía a la dirección anterior. Si ha sido usted, no tiene que hacer nada.',
  'moved.protect':
    'Si no ha sido usted, inicie sesión con su nombre de usuario o esta dirección y su contraseña. Elija una nueva contraseña, lo que cierra todas las demás sesiones, y vuelva a poner su dirección. Si no puede iniciar sesión, póngase en contacto con {shop}.',
  'moved.undo':
    'Si no ha sido usted, deshaga el cambio en un plazo de 72 horas. Así se restablece esta dirección y terminan todas las sesiones, las claves de API y la contraseña de la cuenta; después elegirá una contraseña nueva.',
  'moved.button': 'Deshacer el cambio',
  'erasure.subject': 'Su cuenta va a borrarse',
  'erasure.text':
    'Su cuenta en {shop} y sus datos personales se borrarán el {time}: alguien lo ha pedido, o un programa que actúa por usted o por {shop}. Si es lo que quiere, no tiene que hacer nada.',
  'erasure.withdraw':
    'Si no, elija una nueva contraseña con «contraseña olvidada» y esta dirección: así se anula el borrado y terminan todas las sesiones y las claves de API. O inicie sesión y anúlelo allí.',
  link: 'Si el botón no funciona, abra esta dirección:',
  order: 'Pedido',
  date: 'Fecha',
  subtotal: 'Subtotal',
  discount: 'Descuento',
  shipping: 'Envío',
  tax: 'Impuestos',
  tax_included: 'Impuestos incluidos',
  total: 'Total',
  address: 'Dirección de entrega',
  note: 'Su nota',
  footer: 'Enviado por {shop} a causa de su pedido o de su cuenta.',
}
