<?php
// Writes outgoing mail to a folder, from which the platform sends it. WordPress still builds the message.
add_filter(
	'pre_wp_mail',
	static function ( $decided ) {
		require_once __DIR__ . '/class-nido-mailer.php';
		if ( ! ( $GLOBALS['phpmailer'] ?? null ) instanceof Nido_Mailer ) {
			$GLOBALS['phpmailer'] = new Nido_Mailer( true );
		}
		return $decided;
	}
);
