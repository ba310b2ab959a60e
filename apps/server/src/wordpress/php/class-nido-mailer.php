<?php
require_once ABSPATH . WPINC . '/PHPMailer/PHPMailer.php';
require_once ABSPATH . WPINC . '/PHPMailer/SMTP.php';
require_once ABSPATH . WPINC . '/PHPMailer/Exception.php';

class Nido_Mailer extends PHPMailer\PHPMailer\PHPMailer {
	public static $validator;

	public function postSend() {
		self::$validator = static fn ( $email ) => (bool) is_email( $email );
		$message = array(
			'from'       => $this->From,
			'recipients' => array_keys( $this->all_recipients ),
			'subject'    => mb_substr( $this->Subject, 0, 200 ),
			'mime'       => base64_encode( $this->getSentMIMEMessage() ),
		);
		// Renamed when it is complete, so that the platform never reads half a message.
		$name = NIDO_MAIL_DIR . '/' . bin2hex( random_bytes( 12 ) );
		return file_put_contents( "$name.new", wp_json_encode( $message ) ) && rename( "$name.new", "$name.json" );
	}
}
