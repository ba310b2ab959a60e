<?php
// Sends a message to the site's owner, to show that its mail arrives. Run by the platform; visitors cannot reach it.
$to = $_SERVER['NIDO_TO'];

require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

$is_spanish = str_starts_with( get_locale(), 'es' );
$site       = wp_parse_url( WP_HOME, PHP_URL_HOST );
$subject    = sprintf( $is_spanish ? 'Mensaje de prueba de %s' : 'Test message from %s', $site );
$text       = sprintf( $is_spanish ? 'Si lees esto, el correo de %s llega.' : 'If you can read this, mail from %s arrives.', $site );
echo wp_mail( $to, $subject, $text ) ? 'sent' : 'failed';
